import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { DeliveryModule } from '../../platform/delivery/delivery.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { StoreEventsModule } from '../events/store-events.module.js';
import { StoreWebhookEntity } from './store-webhook.entity.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSending } from './webhook-sending.js';
import { WebhookTestsService } from './webhook-tests.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [CryptoModule, DeliveryModule, StoreEventsModule, repositoriesOf([StoreWebhookEntity])],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    WebhookDeliveriesService,
    WebhookDeliveriesRepository,
    WebhookTestsService,
    WebhookSending,
    WebhookSecrets,
  ],
  exports: [WebhookSecrets, WebhooksService, WebhookTestsService],
})
export class WebhooksModule {}

import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { CryptoModule } from '../crypto/crypto.module.js';
import { NetModule } from '../net/net.module.js';
import { AttemptLog } from './attempt-log.js';
import { AttemptsRepository } from './attempts.repository.js';
import { DeliverySender } from './delivery-sender.js';
import { ReceiverAddresses } from './receiver-addresses.js';
import { Receivers } from './receivers.js';
import { WebhookAttemptEntity } from './webhook-attempt.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookPost } from './webhook-post.js';

/** Sends webhooks, for whoever adds themselves to the sender. */
@Module({
  imports: [CryptoModule, NetModule, repositoriesOf([WebhookDeliveryEntity, WebhookAttemptEntity])],
  providers: [DeliverySender, AttemptLog, AttemptsRepository, WebhookPost, Receivers, ReceiverAddresses],
  exports: [DeliverySender, WebhookPost, Receivers, ReceiverAddresses],
})
export class DeliveryModule {}

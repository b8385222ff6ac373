import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import express from 'express';
import { repositoriesOf } from '../../database/repositories.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ShopModule } from '../shop/shop.module.js';
import { AdminPaymentsController } from './admin-payments.controller.js';
import { PaymentGateways } from './payment-gateways.js';
import { PaymentJobs } from './payment-jobs.js';
import { PaymentPagesController } from './payment-pages.controller.js';
import { PaymentPagesService } from './payment-pages.service.js';
import { PaymentRecordsService } from './payment-records.service.js';
import { PaymentSessionEntity } from './payment-session.entity.js';
import { PaymentSessionsRepository } from './payment-sessions.repository.js';
import { PaymentEntity } from './payment.entity.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { RefundEntity } from './refund.entity.js';
import { RefundLineEntity } from './refund-line.entity.js';
import { RefundsRepository } from './refunds.repository.js';
import { RefundsService } from './refunds.service.js';
import { SessionOutcomesService } from './session-outcomes.service.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';
import { StripeWebhooksService } from './stripe-webhooks.service.js';
import { UnpaidOrders } from './unpaid-orders.js';

/** Paying orders, and paying back. */
@Module({
  imports: [
    repositoriesOf([PaymentEntity, PaymentSessionEntity, RefundEntity, RefundLineEntity]),
    IdempotencyModule,
    OrdersModule,
    ShopModule,
  ],
  controllers: [PaymentsController, AdminPaymentsController, StripeWebhookController, PaymentPagesController],
  providers: [
    PaymentsService,
    PaymentRecordsService,
    PaymentPagesService,
    PaymentGateways,
    PaymentJobs,
    PaymentsRepository,
    PaymentSessionsRepository,
    RefundsService,
    RefundsRepository,
    SessionOutcomesService,
    StripeWebhooksService,
    UnpaidOrders,
  ],
})
export class PaymentsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // The bytes that Stripe signed; an event of a session has some kilobytes.
    const raw = express.raw({ type: () => true, limit: 256 * 1_024, inflate: false });
    consumer.apply(raw).forRoutes(StripeWebhookController);
    const forms = express.urlencoded({ extended: false, limit: 1_024, parameterLimit: 2, inflate: false });
    consumer.apply(forms).forRoutes(PaymentPagesController);
  }
}

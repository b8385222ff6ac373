import type { PaymentProvider } from '../shop/payment-provider.js';
import type { PaymentSessionEntity } from './payment-session.entity.js';
import type { PaymentEntity } from './payment.entity.js';
import type { Payment, PaymentRequest, Refund } from './payments.dto.js';
import type { RefundEntity } from './refund.entity.js';
import type { RefundLineEntity } from './refund-line.entity.js';

export function toPaymentRequest({ provider, url, expiresAt }: PaymentSessionEntity): PaymentRequest {
  return { provider: provider as PaymentProvider, url: url ?? '', expires_at: expiresAt.toISOString() };
}

export function toPayment({ orderId, createdAt, provider, ...payment }: PaymentEntity): Payment {
  const { id, reference, method, amount, currency } = payment;
  const created_at = createdAt.toISOString();
  return {
    id,
    order_id: orderId,
    provider: provider as PaymentProvider,
    reference,
    method,
    amount,
    currency,
    created_at,
  };
}

export function toRefund(refund: RefundEntity, lines: readonly RefundLineEntity[]): Refund {
  const { id, orderId, paymentId, amount, status, byHand, failure, reason, restock, reference, createdAt } = refund;
  return {
    id,
    order_id: orderId,
    payment_id: paymentId,
    amount,
    status,
    by_hand: byHand,
    detail: failure ?? (byHand ? 'It is recorded: pay it back by hand' : null),
    reason,
    restock,
    reference,
    lines: lines
      .filter(({ refundId }) => refundId === id)
      .map(({ itemId, quantity }) => ({ item_id: itemId, quantity })),
    created_at: createdAt.toISOString(),
  };
}

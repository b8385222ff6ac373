import { sealedColumn } from '../crypto/sealed-places.js';

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How far back deliveries are sent again together. */
export const replayDays = 14;

/** The place that the address of a delivery is sealed for. */
export const sealedUrlPlace = sealedColumn({
  table: 'webhook_deliveries',
  column: 'url_sealed',
  key: { id: 'uuid' },
  place: 'webhook-delivery',
});

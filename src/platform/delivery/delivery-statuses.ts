export const deliveryStatuses = ['PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How far back deliveries are sent again together. */
export const replayDays = 14;

/** The context in which the address of a delivery is sealed. */
export function sealedUrlPlace(deliveryId: string): string {
  return `webhook-delivery:${deliveryId}`;
}

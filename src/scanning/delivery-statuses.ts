export const deliveryStatuses = ['PENDING', 'DELIVERED', 'RETRYING', 'EXHAUSTED', 'CANCELED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

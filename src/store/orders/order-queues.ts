/** The orders that wait for somebody. */
export const orderQueues = ['to_ship', 'unpaid', 'problems', 'returns'] as const;
export type OrderQueue = (typeof orderQueues)[number];

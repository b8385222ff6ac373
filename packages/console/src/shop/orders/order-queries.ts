import { api, ask } from '../../api/service.js';

/** An order, and what else its page shows of it. */
export const orderQuery = (id: number) => ({
  queryKey: ['order', id],
  queryFn: () => ask(api.orders.get({ path: { order_id: id } })),
});

export const paymentsQuery = (id: number) => ({
  queryKey: ['order-payments', id],
  queryFn: () => ask(api.adminPayments.list({ path: { order_id: id } })),
});

export const buyerQuery = (userId: string | undefined) => ({
  queryKey: ['customer', userId],
  queryFn: () => ask(api.users.get({ path: { user_uuid: userId ?? '' } })),
  enabled: userId !== undefined,
});

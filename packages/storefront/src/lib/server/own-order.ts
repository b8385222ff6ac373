import type { Order } from '@store-service/sdk';
import { error, type RequestEvent } from '@sveltejs/kit';
import { textsOf } from '$lib/texts/index.ts';
import { answered } from './answered.ts';

/**
 * The order of an address, of whoever is signed in. Anybody else's is a 404: some services show an order to everybody who has its
 * number, and a shop should not.
 */
export async function ownOrder({ locals, params }: RequestEvent): Promise<Order> {
  const missing = { message: textsOf(locals.language).errors.missing, kind: 'missing' } as const;
  const id = params['id'] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) error(404, missing);
  const [order, me] = await Promise.all([
    answered(locals.api.orders.get({ path: { order_id: Number(id) } })),
    answered(locals.api.auth.me()),
  ]);
  if (order.user_id !== me.id) error(404, missing);
  return order;
}

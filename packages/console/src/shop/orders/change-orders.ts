import type { OrderMove } from '@store-service/sdk';
import { changed } from '../../api/changed.js';
import { api, ask } from '../../api/service.js';
import { sayFailure } from '../../parts/toasts.svelte.js';

const mostAtOnce = 500;

/** Moves orders to a status. Returns the outcome for each; after a failure, which it reports, the rest have none. */
export async function changeOrders(ids: readonly number[], status: string): Promise<OrderMove[]> {
  const moves: OrderMove[] = [];
  try {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const body = { order_ids: ids.slice(at, at + mostAtOnce), new_status: status };
      moves.push(...(await ask(api.adminOrders.changeStatusOfMany({ body }))).results);
    }
  } catch (error) {
    sayFailure(error);
  }
  await changed('orders');
  return moves;
}

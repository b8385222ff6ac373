import type { OrderMove } from '@store-service/sdk';
import { problemOf } from '../../api/problem.js';
import { queries } from '../../api/queries.js';
import { api, ask } from '../../api/service.js';
import { say } from '../../parts/toasts.svelte.js';

const mostAtOnce = 500;

/** Has everything that shows orders read anew. */
export async function ordersChanged(): Promise<void> {
  await Promise.all(['orders', 'order', 'order-timeline'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** Moves orders to a status. Returns what became of each; of those after a failure, which it says, there is no answer. */
export async function changeOrders(ids: readonly number[], status: string): Promise<OrderMove[]> {
  const moves: OrderMove[] = [];
  try {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const body = { order_ids: ids.slice(at, at + mostAtOnce), new_status: status };
      moves.push(...(await ask(api.adminOrders.changeStatusOfMany({ body }))).results);
    }
  } catch (error) {
    say(problemOf(error).text, 'failed');
  }
  await ordersChanged();
  return moves;
}

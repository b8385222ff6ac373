import type { OrderMove } from '@store-service/sdk';
import { changed } from '../../api/changed.js';
import { api, ask } from '../../api/service.js';
import { texts } from '../../texts/texts.js';
import { sayFailure } from '../../parts/toasts.svelte.js';
import { confirmAsService } from './statuses.js';

/** The orders of one request: few enough that it ends soon, also on a busy service. */
const mostAtOnce = 100;

/**
 * Moves orders to a status, and asks for those at which the service would stop. Returns the outcome for each; after a
 * failure, which it reports, the rest have none.
 */
export async function changeOrders(ids: readonly number[], status: string, isConfirmed: boolean): Promise<OrderMove[]> {
  const moves = await moved(ids, status, isConfirmed);
  const stopped = moves.filter(({ code }) => code === 'needs_confirmation');
  const details = stopped.flatMap(({ detail }) => detail ?? []);
  const what = texts.orders.orders(stopped.length);
  const again =
    stopped.length > 0 && (await confirmAsService(what, status, details))
      ? await moved(
          stopped.map(({ order_id }) => order_id),
          status,
          true,
        )
      : [];
  await changed('orders');
  const outcomes = new Map(again.map((move) => [move.order_id, move]));
  return moves.map((move) => outcomes.get(move.order_id) ?? move);
}

async function moved(ids: readonly number[], status: string, confirm: boolean): Promise<OrderMove[]> {
  const moves: OrderMove[] = [];
  try {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const body = { order_ids: ids.slice(at, at + mostAtOnce), new_status: status, confirm };
      moves.push(...(await ask(api.adminOrders.changeStatusOfMany({ body }))).results);
    }
  } catch (error) {
    sayFailure(error);
  }
  return moves;
}

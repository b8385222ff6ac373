import type { OrderMove } from '@store-service/sdk';
import { askedToConfirm } from '../../api/problem.js';
import { api, ask } from '../../api/service.js';
import { changeOrders } from './change-orders.js';
import { confirmAsService } from './statuses.js';
import { texts } from '../../texts/texts.js';

/** Where a parcel can be followed; empty texts are not known. */
export interface Tracking {
  carrier: string;
  tracking_number: string;
  tracking_url?: string;
}

/** Writes who delivers an order and under which number. */
export async function track(id: number, { carrier, tracking_number, tracking_url }: Tracking): Promise<void> {
  const url = tracking_url === undefined ? {} : { tracking_url: tracking_url.trim() || null };
  const body = { carrier: carrier.trim() || null, tracking_number: tracking_number.trim() || null, ...url };
  await ask(api.adminOrderDesk.track({ path: { order_id: id }, body }));
}

/** Gives an order a status, and asks where the service would stop. Returns whether it has that status now. */
export async function giveStatus(id: number, to: string, isConfirmed: boolean): Promise<boolean> {
  try {
    await ask(
      api.adminOrders.changeStatus({ path: { order_id: id }, query: { new_status: to, confirm: isConfirmed } }),
    );
    return true;
  } catch (error) {
    const caution = askedToConfirm(error);
    if (caution === null) throw error;
    return (await confirmAsService(texts.orders.orderAmid(id), to, [caution])) && giveStatus(id, to, true);
  }
}

/** The most orders whose tracking is written at once. */
export const mostTracked = 100;

/**
 * Writes the tracking of those that have one, then ships all of them. Returns the outcome for each; throws at the first tracking
 * that is refused, before any is shipped.
 */
export async function shipOrders(
  ids: readonly number[],
  trackings: ReadonlyMap<number, Tracking>,
  isConfirmed: boolean,
): Promise<OrderMove[]> {
  for (const [id, tracking] of trackings) {
    if (tracking.carrier.trim() || tracking.tracking_number.trim()) await track(id, tracking);
  }
  return changeOrders(ids, 'shipped', isConfirmed);
}

export const shipVerb = (count: number): string => texts.orders.ship2(count);

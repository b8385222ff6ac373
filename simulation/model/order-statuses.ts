export const statusesInOrder = ['pending', 'paid', 'processing', 'shipped', 'delivered', 'completed'];

export const finalStatuses = new Set(['cancelled', 'refunded']);

/** Whether an order may go from one status to another, in however many steps. */
export function mayTurn(before: string, status: string): boolean {
  if (finalStatuses.has(before)) return false;
  const place = statusesInOrder.indexOf(before);
  // A word of the shop's own leads from and to any status that is not final.
  if (place === -1 || (!statusesInOrder.includes(status) && !finalStatuses.has(status))) return true;
  if (status === 'cancelled') return place < statusesInOrder.indexOf('shipped');
  // Between two sightings it may have been paid.
  if (status === 'refunded') return true;
  return statusesInOrder.indexOf(status) > place;
}

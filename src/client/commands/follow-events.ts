import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '../api/api-client.js';
import { pages } from '../api/pages.js';
import { patiently } from '../api/patience.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { type ListOptions, listPrinter } from './print-list.js';
import type { EventArrivals, ScanEventSummary } from './scan-event.js';

const pollMs = 1_000;

/** The newest events with the newest last, as in a terminal's log. */
async function newest({ api }: Context, filter: Query, limit: number): Promise<ScanEventSummary[]> {
  const events: ScanEventSummary[] = [];
  for await (const page of pages<ScanEventSummary>(api, 'events', filter, limit)) events.push(...page.entries);
  return events.toReversed();
}

/**
 * `events list --follow`: prints the newest events and then, endlessly, those that arrive, back-dated ones included. It
 * asks for the cursor before the list, so that no event is missed; one that is in both is printed once.
 */
export async function followEvents(
  context: Context,
  filter: Query,
  { output: format, limit, since }: ListOptions & { since?: string },
): Promise<never> {
  const { api, output, notify, surroundings } = context;
  const arrivals = (after?: string) => api.get<EventArrivals>('events/arrivals', { ...filter, size: 100, after });
  // An array would never end.
  const printer = listPrinter(output, format === 'json' ? 'jsonl' : format, eventColumns);

  surroundings.watchReader();
  let { nextCursor } = await arrivals();
  const listed = await newest(context, { ...filter, since }, limit);
  await printer.print(listed);
  const shown = new Set(listed.map(({ id }) => id));
  for (;;) {
    const arrived = await patiently(() => arrivals(nextCursor), notify);
    await printer.print(arrived.data.filter(({ id }) => !shown.has(id)));
    nextCursor = arrived.nextCursor;
    if (arrived.more) continue;
    // All listed events have arrived by now, and will not come again.
    shown.clear();
    await sleep(pollMs);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '../api/api-client.js';
import { pages } from '../api/pages.js';
import { patiently } from '../api/patience.js';
import { printJsonLine } from '../output/json.js';
import { Table } from '../output/table.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import type { ListOptions } from './print-list.js';
import type { EventArrivals, ScanEventSummary } from './scan-event.js';

const pollMs = 1_000;

/** The newest events with the newest last, as in a terminal's log. */
async function newest({ api }: Context, filter: Query, limit: number): Promise<ScanEventSummary[]> {
  const events: ScanEventSummary[] = [];
  for await (const page of pages<ScanEventSummary>(api, 'events', filter, limit)) events.push(...page);
  return events.toReversed();
}

/**
 * `events list --follow`: prints the newest events and then, endlessly, those that arrive, back-dated ones included. It
 * asks for the cursor before the list, so that no event is missed; one that is in both is printed once.
 */
export async function followEvents(
  context: Context,
  filter: Query,
  { output: format, limit }: ListOptions,
): Promise<never> {
  const { api, output, notify } = context;
  const arrivals = (after?: string) => api.get<EventArrivals>('events/arrivals', { ...filter, size: 100, after });
  const table = new Table(output, eventColumns);
  const print = async (events: ScanEventSummary[]) => {
    if (format === 'table') await table.print(events);
    else for (const event of events) await printJsonLine(output, event);
  };

  let { nextCursor } = await arrivals();
  const listed = await newest(context, filter, limit);
  await print(listed);
  const shown = new Set(listed.map(({ id }) => id));
  for (;;) {
    const arrived = await patiently(() => arrivals(nextCursor), notify);
    await print(arrived.data.filter(({ id }) => !shown.has(id)));
    nextCursor = arrived.nextCursor;
    if (arrived.more) continue;
    // All listed events have arrived by now, and will not come again.
    shown.clear();
    await sleep(pollMs);
  }
}

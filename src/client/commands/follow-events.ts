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

/** The newest events, the newest last, as a terminal shows what goes on. */
async function newest({ api }: Context, filter: Query, limit: number): Promise<ScanEventSummary[]> {
  const events: ScanEventSummary[] = [];
  for await (const page of pages<ScanEventSummary>(api, 'events', filter, limit)) events.push(...page);
  return events.toReversed();
}

/**
 * `events list --follow`: the newest events and then, without an end, what arrives, also what is dated back. The place to
 * go on from is asked for before the list is, so that nothing falls in between; what arrived in between is in both, and
 * shown once.
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
    // All that was listed has arrived by now, and is not answered again.
    shown.clear();
    await sleep(pollMs);
  }
}

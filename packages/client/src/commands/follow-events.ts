import type { EventsListData, ScanEventSummary } from '@store-service/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { parts } from '../api/pages.js';
import { patiently } from '../api/patience.js';
import { Failure } from '../failure.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { type ListOptions, listPrinter } from './print-list.js';

/** The filters of events, without a period. */
export type EventFilter = Omit<NonNullable<EventsListData['query']>, 'size' | 'cursor' | 'total' | 'since' | 'until'>;

const pollMs = 1_000;
/** A proxy that holds streams back may hold back their headers too. */
const firstMs = 5_000;

/** The newest events in ascending order, as in a terminal's log. */
async function newest(
  { api }: Context,
  filter: EventFilter,
  since: string | undefined,
  limit: number,
): Promise<ScanEventSummary[]> {
  const events: ScanEventSummary[] = [];
  const list = parts((paging) => api.events.list({ query: { ...filter, since, ...paging } }), limit);
  for await (const page of list) events.push(...page.entries);
  return events.toReversed();
}

type Print = (events: ScanEventSummary[]) => Promise<void>;

/** How a stream ended: `unusable` if the service has none, or something on the way holds it back. */
interface StreamEnd {
  cursor: string;
  isUnusable: boolean;
}

/** Prints the events of a stream until it ends. */
async function printStream({ api }: Context, filter: EventFilter, after: string, print: Print): Promise<StreamEnd> {
  let cursor = after;
  let isAlive = false;
  try {
    for await (const messages of api.streamEvents({ query: { ...filter, after }, firstMs })) {
      isAlive = true;
      for (const { id, event, data } of messages) {
        if (event === 'message' && data !== undefined) await print([JSON.parse(data) as ScanEventSummary]);
        cursor = id ?? cursor;
      }
    }
  } catch (error) {
    if (error instanceof Failure) return { cursor, isUnusable: error.refusal !== undefined || !error.isPassing };
    // The connection was lost: what it did not bring is requested.
    if (error instanceof TypeError) return { cursor, isUnusable: false };
    throw error;
  }
  return { cursor, isUnusable: !isAlive };
}

/**
 * `events list --follow`: prints the newest events and then, endlessly, those that arrive, back-dated ones included. It
 * requests the cursor before the list, so that no event is missed; one that is in both is printed once. Events come through
 * a stream or, if none works, by polling every second.
 */
export async function followEvents(
  context: Context,
  filter: EventFilter,
  { output: format, limit, since }: ListOptions & { since?: string },
): Promise<never> {
  const { api, output, notify, surroundings } = context;
  const arrivals = async (after?: string) =>
    (await api.events.arrivals({ query: { ...filter, size: 100, after } })).data;
  // An array would never end.
  const printer = listPrinter(output, format === 'json' ? 'jsonl' : format, eventColumns);

  await surroundings.watchReader();
  let { nextCursor } = await arrivals();
  const listed = await newest(context, filter, since, limit);
  await printer.print(listed);
  const shown = new Set(listed.map(({ id }) => id));
  for (let canStream = true; ;) {
    const arrived = await patiently(() => arrivals(nextCursor), notify);
    await printer.print(arrived.data.filter(({ id }) => !shown.has(id)));
    nextCursor = arrived.nextCursor;
    if (arrived.more) continue;
    // All listed events have arrived by now, and will not be repeated.
    shown.clear();
    if (canStream) {
      const { cursor, isUnusable } = await printStream(context, filter, nextCursor, (events) => printer.print(events));
      [nextCursor, canStream] = [cursor, !isUnusable];
    }
    await sleep(pollMs);
  }
}

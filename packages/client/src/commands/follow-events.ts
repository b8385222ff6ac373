import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '../api/api-client.js';
import { pages } from '../api/pages.js';
import { patiently } from '../api/patience.js';
import { livelyChunks, messagesIn } from '../api/server-sent-events.js';
import { Failure } from '../failure.js';
import type { Context } from './context.js';
import { eventColumns } from './event-columns.js';
import { type ListOptions, listPrinter } from './print-list.js';
import type { EventArrivals, ScanEventSummary } from './scan-event.js';

const pollMs = 1_000;
/** How long a stream may be silent: it sends something at once, and a heartbeat every fifteen seconds. */
const firstMs = 5_000;
const idleMs = 45_000;

/** The newest events in ascending order, as in a terminal's log. */
async function newest({ api }: Context, filter: Query, limit: number): Promise<ScanEventSummary[]> {
  const events: ScanEventSummary[] = [];
  for await (const page of pages<ScanEventSummary>(api, 'events', filter, limit)) events.push(...page.entries);
  return events.toReversed();
}

type Print = (events: ScanEventSummary[]) => Promise<void>;

/** How a stream ended: `unusable` if the service has none, or something on the way holds it back. */
interface StreamEnd {
  cursor: string;
  isUnusable: boolean;
}

/** Prints the events of a stream until it ends. */
async function printStream({ api }: Context, filter: Query, after: string, print: Print): Promise<StreamEnd> {
  const response = await api.stream('events/stream', { ...filter, after });
  if (typeof response === 'string') return { cursor: after, isUnusable: response === 'held back' };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.status !== 200 || !isStream || !response.body) {
    await response.body?.cancel();
    return { cursor: after, isUnusable: true };
  }
  let cursor = after;
  let isAlive = false;
  try {
    for await (const { id, event, data } of messagesIn(livelyChunks(response.body, { firstMs, idleMs }))) {
      isAlive = true;
      if (event === 'message' && data !== undefined) await print([JSON.parse(data) as ScanEventSummary]);
      cursor = id ?? cursor;
    }
  } catch (error) {
    // The connection was lost: what it did not bring is requested.
    if (error instanceof Failure || !(error instanceof TypeError)) throw error;
    return { cursor, isUnusable: false };
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
  filter: Query,
  { output: format, limit, since }: ListOptions & { since?: string },
): Promise<never> {
  const { api, output, notify, surroundings } = context;
  const arrivals = (after?: string) => api.get<EventArrivals>('events/arrivals', { ...filter, size: 100, after });
  // An array would never end.
  const printer = listPrinter(output, format === 'json' ? 'jsonl' : format, eventColumns);

  await surroundings.watchReader();
  let { nextCursor } = await arrivals();
  const listed = await newest(context, { ...filter, since }, limit);
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

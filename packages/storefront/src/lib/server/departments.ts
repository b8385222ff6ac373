import type { Category } from '@store-service/sdk';
import type { RequestEvent } from '@sveltejs/kit';
import { mountOf } from './mount.ts';

interface Kept {
  until: number;
  asked: Promise<Category[]>;
  last: Category[];
}

const keptMs = 10_000;
const kept = new Map<string, Kept>();
/** What a request asked for: its layout shows the same departments as its page. */
const ofRequests = new WeakMap<App.Locals, Promise<Category[]>>();

/**
 * The departments of the shop with their shelves, asked for once in some seconds however many pages want them, or for each page
 * of a service that keeps these pages: it knows from that when to forget them. While the service is away they are the last that are
 * known, so that a page can say so in the shop's own frame.
 */
export function departmentsOf(event: RequestEvent): Promise<Category[]> {
  const asked = ofRequests.get(event.locals) ?? ask(event);
  ofRequests.set(event.locals, asked);
  return asked;
}

function ask(event: RequestEvent): Promise<Category[]> {
  const { apiUrl, keep } = mountOf(event);
  const known = kept.get(apiUrl);
  if (known && known.until > Date.now()) return known.asked;
  const last = known?.last ?? [];
  const entry: Kept = { until: keep ? 0 : Date.now() + keptMs, last, asked: Promise.resolve(last) };
  entry.asked = event.locals.api.categories.tree().then(
    ({ data }) => (entry.last = data.categories),
    () => {
      entry.until = 0; // the next page asks again
      return last;
    },
  );
  kept.set(apiUrl, entry);
  return entry.asked;
}

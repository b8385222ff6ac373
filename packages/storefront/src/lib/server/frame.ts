import type { Category } from '@store-service/sdk';
import type { RequestEvent } from '@sveltejs/kit';
import type { Shop } from './api.ts';
import { mountOf } from './mount.ts';

/** What the frame of every page shows. */
export interface Frame {
  shop: Shop;
  categories: Category[];
}

interface Kept {
  until: number;
  asked: Promise<Frame>;
  last: Frame;
}

const keptMs = 10_000;
const unknown: Shop = {
  name: 'Shop',
  currency: 'USD',
  locale: 'en-US',
  contact_email: null,
  address: null,
  logo_url: null,
  shipping_methods: [],
  payment: { provider: 'manual', instructions: null },
};

const kept = new Map<string, Kept>();

/**
 * The shop and its departments, asked for once in some seconds however many pages want them. While the service is away they are
 * the last that are known, so that a page can say so in the shop's own frame.
 */
export function frameOf(event: RequestEvent): Promise<Frame> {
  const { apiUrl } = mountOf(event);
  const known = kept.get(apiUrl);
  if (known && known.until > Date.now()) return known.asked;
  const last = known?.last ?? { shop: unknown, categories: [] };
  const entry: Kept = { until: Date.now() + keptMs, last, asked: Promise.resolve(last) };
  entry.asked = read(event.locals).then(
    (frame) => (entry.last = frame),
    () => {
      entry.until = 0; // the next page asks again
      return last;
    },
  );
  kept.set(apiUrl, entry);
  return entry.asked;
}

async function read({ api, shop }: App.Locals): Promise<Frame> {
  const [known, { data }] = await Promise.all([shop(), api.categories.tree()]);
  return { shop: known, categories: data.categories };
}

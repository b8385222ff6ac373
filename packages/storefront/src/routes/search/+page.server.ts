import { keepBriefly } from '$lib/server/kept-briefly.ts';
import { listingOf } from '$lib/server/listing.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const isSearch = Boolean(event.url.searchParams.get('q')?.trim());
  const byDefault = isSearch ? 'relevance' : 'rating';
  const listing = await listingOf({ api: event.locals.api, url: event.url, byDefault });
  keepBriefly(event);
  return { listing };
};

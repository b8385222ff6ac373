import { keepBriefly } from '$lib/server/kept-briefly.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = (event) => {
  keepBriefly(event);
};

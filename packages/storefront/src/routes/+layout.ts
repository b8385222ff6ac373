import { loadTexts } from '$lib/texts/load.ts';
import type { LayoutLoad } from './$types';

export const load: LayoutLoad = async ({ data }) => ({ ...data, texts: await loadTexts(data.language) });

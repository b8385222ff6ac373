import { place } from '../router.svelte.js';

/** By what the address asks a list to be sorted: the first of the ways that it can be, where it asks for none of them. */
export function sortOfPlace<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sort {
  return sorts.find((one) => one === place.get('sort')) ?? sorts[0];
}

export function sortPlaceBy(sort: string): void {
  place.set({ sort, skip: null });
}

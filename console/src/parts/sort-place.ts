import { place } from '../router.svelte.js';

/** The order that the address asks for: the first of the possible ones, where it asks for none of them. */
export function sortOfPlace<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sort {
  return sorts.find((one) => one === place.get('sort')) ?? sorts[0];
}

export function sortPlaceBy(sort: string): void {
  place.set({ sort, skip: null });
}

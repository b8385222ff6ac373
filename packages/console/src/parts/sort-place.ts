import { place } from '../router.svelte.js';

/** The order in the address; the first possible one, if the address has none of them. */
export function sortOfPlace<Sort extends string>(sorts: readonly [Sort, ...Sort[]]): Sort {
  return sorts.find((one) => one === place.get('sort')) ?? sorts[0];
}

export function sortPlaceBy(sort: string): void {
  place.set({ sort, skip: null });
}

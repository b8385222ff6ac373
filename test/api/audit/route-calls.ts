/** For each route, how to prepare a call of it, and then the call to be audited. */
export type RouteCalls = Record<string, () => Promise<() => Promise<{ status: number }>>>;

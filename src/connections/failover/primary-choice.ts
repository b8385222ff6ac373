/** What a host says of itself: null where it does not answer. */
export type HostState = { isStandby: true } | { isStandby: false; timeline: number } | null;

/**
 * Which host to write to: the primary of the highest timeline, as each promotion begins a new one. One that is lower than
 * `seen` was left behind, and must not be written to. Of two that are equal the current one stays; without it, neither
 * is taken, as nobody can tell which has the data.
 */
export function choosePrimary<Host>(
  states: ReadonlyMap<Host, HostState>,
  current: Host | undefined,
  seen: number,
): { host: Host; timeline: number } | null {
  const primaries = [...states].flatMap(([host, state]) =>
    state && !state.isStandby && state.timeline >= seen ? { host, timeline: state.timeline } : [],
  );
  const highest = Math.max(...primaries.map(({ timeline }) => timeline));
  const equals = primaries.filter(({ timeline }) => timeline === highest);
  return equals.find(({ host }) => host === current) ?? (equals.length === 1 ? (equals[0] ?? null) : null);
}

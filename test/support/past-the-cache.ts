let asked = 0;

/**
 * A path whose response cannot be in memory: the service ignores the addition, which the cache has never
 * seen.
 */
export function pastTheCache(path: string): string {
  asked += 1;
  return `${path}${path.includes('?') ? '&' : '?'}past-the-cache=${asked}`;
}

let asked = 0;

/**
 * An address whose response cannot be in memory: the service ignores what is added to it, and the cache never met it
 * before.
 */
export function pastTheCache(path: string): string {
  asked += 1;
  return `${path}${path.includes('?') ? '&' : '?'}past-the-cache=${asked}`;
}

const sign = '••••';
const shownCharacters = 4;
const shortestShown = 12;

/**
 * A secret as reads show it: its last characters, by which people tell secrets apart, where enough others stay hidden.
 * Not shown: how long it must be for that; a shorter one is hidden whole.
 */
export function masked(secret: string): string {
  return sign + (secret.length >= shortestShown ? secret.slice(-shownCharacters) : '');
}

/** Whether a text is, or holds, a mask rather than a secret. */
export function isMask(text: string): boolean {
  return text.includes(sign);
}

const sign = '••••';
const shownCharacters = 4;
const shortestShown = 12;
const pattern = /^••••.{0,4}$/su;

/**
 * A secret as reads show it: its last characters, by which people tell secrets apart, where enough others stay hidden.
 * Not shown: how long it must be for that; a shorter one is hidden whole.
 */
export function masked(secret: string): string {
  return sign + (secret.length >= shortestShown ? secret.slice(-shownCharacters) : '');
}

/** Whether a text is a mask rather than a secret. */
export function isMask(text: string): boolean {
  return pattern.test(text);
}

const bullets = '••••';
const shownCharacters = 4;
const shortestShown = 12;

/**
 * A secret as reads show it: with its last characters, by which users tell secrets apart, if enough others stay hidden.
 * Unspecified: the length that this takes. A shorter one is hidden entirely.
 */
export function masked(secret: string): string {
  return bullets + (secret.length >= shortestShown ? secret.slice(-shownCharacters) : '');
}

/** Whether a text contains a mask. */
export function isMask(text: string): boolean {
  return text.includes(bullets);
}

/** A source of numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** Gives the same numbers for the same seed on every machine (the public-domain "mulberry32"). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A choice, and how often it is taken compared with the others. */
export interface Weighted<T> {
  value: T;
  weight: number;
}

/** Takes one of the choices by weight. There must be at least one. */
export function pick<T>(random: Random, choices: readonly Weighted<T>[]): T {
  const total = choices.reduce((sum, choice) => sum + choice.weight, 0);
  let rest = random() * total;
  for (const choice of choices) {
    rest -= choice.weight;
    if (rest < 0) return choice.value;
  }
  const last = choices.at(-1);
  if (!last) throw new Error('There is nothing to pick from');
  return last.value;
}

/** Takes a whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** Takes one of the things, each as likely as the others. There must be at least one. */
export function oneOf<T>(random: Random, things: readonly T[]): T {
  const thing = things[between(random, 0, things.length - 1)];
  if (thing === undefined) throw new Error('There is nothing to take one of');
  return thing;
}

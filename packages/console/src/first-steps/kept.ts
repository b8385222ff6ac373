import type { StepsOf } from './steps.js';

/** What this device keeps of the steps: put away, or all done, after which nothing is asked any more. */
export type Kept = 'away' | 'done' | null;

const keyOf = (of: StepsOf, owner: string) => `first-steps.${of}.${owner}`;

export function keptSteps(of: StepsOf, owner: string): Kept {
  const value = localStorage.getItem(keyOf(of, owner));
  return value === 'away' || value === 'done' ? value : null;
}

export function keepSteps(of: StepsOf, owner: string, kept: Kept): void {
  if (kept === null) localStorage.removeItem(keyOf(of, owner));
  else localStorage.setItem(keyOf(of, owner), kept);
}

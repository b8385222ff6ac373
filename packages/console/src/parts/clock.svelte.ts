import { createSubscriber } from 'svelte/reactivity';

const tickMs = 5_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, tickMs);
  return () => clearInterval(timer);
});

/** The present, in steps: what reads it is drawn anew with each. */
export function now(): number {
  subscribe();
  return Date.now();
}

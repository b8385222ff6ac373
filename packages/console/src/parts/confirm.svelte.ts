import { place } from '../router.svelte.js';

interface Question {
  title: string;
  /** The consequence: what is lost. */
  text: string;
  /** The label of the button that goes ahead. */
  act: string;
  answer: (yes: boolean) => void;
}

/** The open question, if there is one. */
export const asked = $state<{ question: Question | null }>({ question: null });

/** Asks before something is lost. Returns whether to go on: false also if the user goes elsewhere without an answer. */
export function confirm(title: string, text: string, act: string): Promise<boolean> {
  asked.question?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      stay();
      asked.question = null;
      resolve(yes);
    };
    const stay = place.onleave(() => answer(false));
    asked.question = { title, text, act, answer };
  });
}

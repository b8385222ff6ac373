import { place } from '../router.svelte.js';

interface Question {
  title: string;
  /** What is lost. */
  text: string;
  /** The button that does it. */
  act: string;
  answer: (yes: boolean) => void;
}

/** The question that is being asked, if one is. */
export const asked = $state<{ question: Question | null }>({ question: null });

/** Asks before something is lost. Returns whether to go on: not where one goes to another place instead of answering. */
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

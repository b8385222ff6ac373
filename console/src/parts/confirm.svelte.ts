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

/** Asks before something is lost. Returns whether to go on. */
export function confirm(title: string, text: string, act: string): Promise<boolean> {
  asked.question?.answer(false);
  return new Promise((resolve) => {
    asked.question = {
      title,
      text,
      act,
      answer: (yes) => {
        asked.question = null;
        resolve(yes);
      },
    };
  });
}

import { browsing } from './en-browsing.ts';
import { buying } from './en-buying.ts';

export const en = {
  ...browsing,
  ...buying,
  errors: {
    missing: 'There is no page at this address.',
    away: 'The shop cannot be reached at the moment. Try again in a minute.',
    refused: 'This is not possible.',
    fault: 'Something went wrong. Try again.',
  },
};

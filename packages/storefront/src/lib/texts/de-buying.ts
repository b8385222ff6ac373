import type { buying as english } from './en-buying.ts';

export const buying: typeof english = {
  cart: {
    title: 'Ihr Warenkorb',
  },
};

import { browsing } from './de-browsing.ts';
import { buying } from './de-buying.ts';
import type { Texts } from './texts.ts';

export const de: Texts = {
  ...browsing,
  ...buying,
  errors: {
    missing: 'Unter dieser Adresse gibt es keine Seite.',
    away: 'Der Laden ist gerade nicht erreichbar. Versuchen Sie es in einer Minute noch einmal.',
    refused: 'Das geht nicht.',
    fault: 'Etwas ist schiefgegangen. Versuchen Sie es noch einmal.',
  },
};

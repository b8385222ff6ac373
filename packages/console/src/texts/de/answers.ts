import type { answers as english } from '../en/answers.js';
import { type Part, told } from '../phrasing/told.js';

export const answers: typeof english = {
  answer: 'Antwort',
  everybodySeesItInTheShop: 'Alle sehen sie im Shop, unter dessen Namen.',
  removeAnswer: 'Antwort entfernen',
  answered: 'Beantwortet',
  notYet: 'Noch nicht',
  isAnswered: (name: Part) => told`${name} ist beantwortet`,
  isNoLongerAnswered: (name: Part) => told`${name} ist nicht mehr beantwortet`,
  isAnsweredAsBefore: (name: Part) => told`${name} ist beantwortet wie vorher`,
  others: 'Andere der Liste',
};

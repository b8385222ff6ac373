import { type Part, told } from '../phrasing/told.js';

/** What the drawers of reviews and testimonials have in common. */
export const answers = {
  answer: 'Answer',
  everybodySeesItInTheShop: 'Everybody sees it in the shop, under its name.',
  removeAnswer: 'Remove answer',
  answered: 'Answered',
  notYet: 'Not yet',
  isAnswered: (name: Part) => told`${name} is answered`,
  isNoLongerAnswered: (name: Part) => told`${name} is no longer answered`,
  isAnsweredAsBefore: (name: Part) => told`${name} is answered as before`,
  others: 'Others in the list',
};

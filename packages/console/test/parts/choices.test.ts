import { expect, it } from '@jest/globals';
import { choiceTold } from '../../src/parts/choices.js';

it('The button of a filter names the first value that is chosen, and how many there are beyond it', () => {
  expect(choiceTold('Status', [])).toBe('Status');
  expect(choiceTold('Status', ['Paid'])).toBe('Status: Paid');
  expect(choiceTold('Status', ['Paid', 'Shipped', 'Delivered'])).toBe('Status: Paid +2');
});

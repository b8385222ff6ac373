import { expect, it } from '@jest/globals';
import { RowPlaces } from '../../src/parts/row-places.js';

const read = (places: RowPlaces<string>, list: string, rows: string) => places.inOrder(list, rows.split('')).join('');

it('Rows keep their places whatever order they are read in again, until another list is shown', () => {
  const places = new RowPlaces<string>((row) => row);
  expect(read(places, 'severest', 'abcd')).toBe('abcd');
  expect(read(places, 'severest', 'bcda')).toBe('abcd');
  expect(read(places, 'severest', 'dcba')).toBe('abcd');
  expect(read(places, 'newest', 'dcba')).toBe('dcba');
  expect(read(places, 'severest', 'bcda')).toBe('bcda');
});

it('Rows that were changed stay where they are, although they are not read any more, until another list is shown', () => {
  const places = new RowPlaces<string>((row) => row.toLowerCase());
  read(places, 'severest', 'abcd');
  places.hold(['b', 'z'], (row) => row.toUpperCase());
  expect(read(places, 'severest', 'acde')).toBe('aBcde');
  expect(read(places, 'severest', 'xacde')).toBe('xaBcde');
  expect(read(places, 'severest', 'acdeb')).toBe('abcde');
  expect(read(places, 'newest', 'acd')).toBe('acd');
  expect(read(places, 'severest', 'acd')).toBe('acd');
  places.forget();
  expect(read(places, 'severest', 'dca')).toBe('dca');
});

it('New rows stand where they were read, and those that are gone leave no place', () => {
  const places = new RowPlaces<string>((row) => row);
  read(places, 'severest', 'abc');
  expect(read(places, 'severest', 'xbcya')).toBe('xabyc');
  expect(read(places, 'severest', 'xcya')).toBe('xayc');
  expect(read(places, 'severest', '')).toBe('');
});

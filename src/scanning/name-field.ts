/**
 * The bounds of a name that people give.
 * Not shown: how long a name may be; 200 characters, and something to read in it.
 */
export const nameBounds = {
  minLength: 1,
  maxLength: 200,
  pattern: /\S/,
  patternHint: 'Input should have at least one character that can be seen',
};

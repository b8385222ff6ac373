/**
 * The bounds of a name that users give.
 * Unspecified: how long a name may be. 200 characters, at least one of them visible.
 */
export const nameBounds = {
  minLength: 1,
  maxLength: 200,
  pattern: /\S/,
  patternHint: 'Input should have at least one visible character',
};

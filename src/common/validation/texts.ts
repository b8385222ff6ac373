/** The spec of a text that may be left out: null and blanks alone are none. */
export const optionalText = { optional: true, nullable: true, blank: 'none' } as const;

/** The spec of a text that says something. */
export const saidText = { minLength: 1, pattern: /\S/, patternHint: 'String should not be blank' } as const;

/** The options of an optional text: null and blanks alone count as none. */
export const optionalText = { optional: true, nullable: true, blank: 'none' } as const;

/** The options of a text that is not blank. */
export const saidText = { minLength: 1, pattern: /\S/, patternHint: 'String should not be blank' } as const;

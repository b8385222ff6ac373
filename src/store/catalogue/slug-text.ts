const maxSlug = 80;

/** The options of a slug: letters and digits of ASCII in lower case, between hyphens. */
export const slugText = {
  minLength: 1,
  maxLength: maxSlug,
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  patternHint: 'Input should be lower-case letters, digits and single hyphens, such as linen-shirt',
  example: 'shirts',
} as const;

/** Letters and marks of right-to-left scripts, and characters that reverse the text around them. */
const turning = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/** What a text has a place for. */
export type Part = string | number;

/** A text whose direction does not affect the text around it. */
function isolated(value: Part | null | undefined): string {
  const text = String(value ?? '');
  return turning.test(text) ? `\u2068${text}\u2069` : text;
}

/** A sentence in which each name keeps its own direction, and does not reverse what surrounds it. */
export const told = (texts: TemplateStringsArray, ...values: (Part | null | undefined)[]): string =>
  String.raw({ raw: texts }, ...values.map(isolated));

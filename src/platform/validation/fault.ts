/** The fault of a value, in pydantic's vocabulary (https://docs.pydantic.dev/latest/errors/validation_errors/). */
export interface Fault {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
  /** The place in a list. */
  at?: number;
}

/** A text of a query or path that cannot be read as its field's kind. */
export class Unreadable {
  constructor(
    readonly fault: Fault,
    readonly text?: string,
  ) {}
}

/** The fault of text that PostgreSQL cannot keep: a NUL byte or a lone surrogate. */
export function textFault(text: string): Fault | null {
  if (text.includes('\0') || !text.isWellFormed()) {
    return { type: 'string_unicode', msg: 'Input should be valid text: without NUL characters and lone surrogates' };
  }
  return null;
}

/** Such as `1 item` and `2 items`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

import { echoed } from './echo.js';

/** One entry of an HTTPValidationError: where, what is wrong in words, and pydantic's name for it. */
export interface ValidationProblem {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The request does not have the shape of the operation's input; becomes a 422 with a `detail` array. */
export class Invalid extends Error {
  constructor(readonly problems: ValidationProblem[]) {
    super(problems.map((problem) => `${problem.loc.join('.')}: ${problem.msg}`).join('; '));
    this.name = 'Invalid';
  }

  /** One problem at one place, for rules that only a service can check: a refused URL, an unlisted sort field. */
  static at(loc: (string | number)[], type: string, msg: string, input?: unknown): Invalid {
    const shown = echoed(input);
    return new Invalid([{ loc, msg, type, ...(shown === undefined ? {} : { input: shown }) }]);
  }
}

import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Continues the match at an index; `next` is the rest of the expression. */
type Matcher = (at: number, next: (at: number) => boolean) => boolean;

/** A bound is a constant, however large; a small one separates it from what grows with the text. */
const widestBound = 8;

class TooManySteps extends Error {}

/** How far a match got: its beginning and end, and the steps that it took. */
export interface CountedMatch {
  /** The text that `replace` leaves when it replaces with nothing. */
  rest: string;
  steps: number;
}

/**
 * Matches as the standard describes it, by backtracking, and counts the characters, places and repetitions that are tried:
 * engines do the same, so the count shows how their time grows with the text.
 */
export class SteppedExpression {
  private readonly match: Matcher;
  private readonly unicode: boolean;
  private text = '';
  private steps = 0;
  private mostSteps = Infinity;
  private captures: (string | undefined)[] = [];
  private readonly groups: AST.CapturingGroup[] = [];

  constructor(
    pattern: string,
    private readonly flags: string,
  ) {
    this.unicode = /[uv]/.test(flags);
    const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
    const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, mode);
    this.match = this.alternatives(parsed.alternatives, 1);
  }

  /** Counts the steps of replacing in this text; null if there are more than `mostSteps`. */
  replaceIn(text: string, mostSteps = Infinity): CountedMatch | null {
    Object.assign(this, { text, mostSteps, steps: 0 });
    try {
      return { rest: this.restOf(text), steps: this.steps };
    } catch (error) {
      if (error instanceof TooManySteps) return null;
      throw error;
    }
  }

  private restOf(text: string): string {
    let rest = '';
    let from = 0;
    while (from <= text.length) {
      const end = this.endAt(from);
      if (end === null && this.flags.includes('y')) break;
      const replaced = end !== null && end > from;
      if (!replaced) rest += text[from] ?? '';
      from = replaced ? end : from + 1;
      if (end !== null && !this.flags.includes('g')) break;
    }
    return rest + text.slice(from);
  }

  private endAt(from: number): number | null {
    let found: number | null = null;
    this.captures = [];
    this.match(from, (end) => {
      found = end;
      return true;
    });
    return found;
  }

  private step(): void {
    if (++this.steps > this.mostSteps) throw new TooManySteps();
  }

  private alternatives(alternatives: AST.Alternative[], direction: 1 | -1): Matcher {
    const matchers = alternatives.map(({ elements }) => this.sequence(elements, direction));
    const [only] = matchers;
    if (matchers.length === 1 && only) return only;
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  }

  private sequence(elements: AST.Element[], direction: 1 | -1): Matcher {
    const matchers = elements.map((element) => this.element(element, direction));
    if (direction === -1) matchers.reverse();
    return matchers.reduceRight<Matcher>(
      (rest, matcher) => (at, next) => matcher(at, (middle) => rest(middle, next)),
      (at, next) => next(at),
    );
  }

  private element(element: AST.Element, direction: 1 | -1): Matcher {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.character(element.raw, direction);
      case 'Group':
        return this.alternatives(element.alternatives, direction);
      case 'CapturingGroup':
        return this.capture(element, direction);
      case 'Backreference':
        return this.reference(element, direction);
      case 'Assertion':
        return this.assertion(element);
      default:
        return this.repetition(element, direction);
    }
  }

  private character(raw: string, direction: 1 | -1): Matcher {
    const one = new RegExp(`^${raw}$`, this.flags.replace(/[gmy]/g, ''));
    const known = new Map<string, boolean>();
    return (at, next) => {
      this.step();
      const character = this.characterAt(at, direction);
      if (character === '') return false;
      let matches = known.get(character);
      if (matches === undefined) known.set(character, (matches = one.test(character)));
      return matches && next(at + direction * character.length);
    };
  }

  /** The code point that a match in this direction meets next; empty at the end. */
  private characterAt(at: number, direction: 1 | -1): string {
    const { text } = this;
    const first = text[direction === 1 ? at : at - 1] ?? '';
    const pair = direction === 1 ? text.slice(at, at + 2) : text.slice(Math.max(0, at - 2), at);
    return this.unicode && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : first;
  }

  private capture(group: AST.CapturingGroup, direction: 1 | -1): Matcher {
    const index = this.groups.push(group) - 1;
    const matcher = this.alternatives(group.alternatives, direction);
    return (at, next) =>
      matcher(at, (end) => {
        const before = this.captures[index];
        this.captures[index] = this.text.slice(Math.min(at, end), Math.max(at, end));
        if (next(end)) return true;
        this.captures[index] = before;
        return false;
      });
  }

  private reference({ resolved }: AST.Backreference, direction: 1 | -1): Matcher {
    return (at, next) => {
      this.step();
      const groups = Array.isArray(resolved) ? resolved : [resolved];
      const value = groups.map((group) => this.captures[this.groups.indexOf(group)]).find(Boolean) ?? '';
      const from = direction === 1 ? at : at - value.length;
      return this.text.startsWith(value, from) && next(at + direction * value.length);
    };
  }

  private assertion(assertion: AST.Assertion): Matcher {
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      const inner = this.alternatives(assertion.alternatives, assertion.kind === 'lookahead' ? 1 : -1);
      return (at, next) => inner(at, () => true) !== assertion.negate && next(at);
    }
    const holds =
      assertion.kind === 'word'
        ? (at: number) => (this.isWord(at - 1) !== this.isWord(at)) !== assertion.negate
        : (at: number) => this.isEdge(at, assertion.kind === 'start' ? -1 : 0);
    return (at, next) => {
      this.step();
      return holds(at) && next(at);
    };
  }

  private isWord(at: number): boolean {
    return /\w/.test(this.text[at] ?? '');
  }

  private isEdge(at: number, offset: -1 | 0): boolean {
    const beside = this.text[at + offset];
    return beside === undefined || (this.flags.includes('m') && /[\n\r\u2028\u2029]/.test(beside));
  }

  private repetition({ element, min, max, greedy }: AST.Quantifier, direction: 1 | -1): Matcher {
    const matcher = this.element(element, direction);
    const most = max === Infinity ? max : Math.min(max, min + widestBound);
    const repeat = (at: number, count: number, next: (at: number) => boolean): boolean => {
      this.step();
      // An empty repetition ends the loop, as the standard says.
      const again = (): boolean =>
        count < most && matcher(at, (end) => (end !== at || count < min) && repeat(end, count + 1, next));
      if (count < min) return again();
      return greedy ? again() || next(at) : next(at) || again();
    };
    return (at, next) => repeat(at, 0, next);
  }
}

import { describe, expect, it } from '@jest/globals';
import { type Expression, findExpressions } from '../support/expressions.js';
import { longTextsFor } from '../support/long-texts.js';
import { SteppedExpression } from '../support/matching-steps.js';

const expressions = findExpressions();

/** Text of twice the length takes a linear expression twice the steps, and any other one four times as many or more. */
const [length, mostTimes] = [150, 2.5];
/** Allowance for short texts, whose doubles meet parts of the expression that they did not. */
const fewSteps = 500;

/** A text on which the steps grow faster than its length, or null. */
function dearTextFor({ pattern = '', flags }: Expression): string | null {
  const stepped = new SteppedExpression(pattern, flags);
  const manySteps = length * 1_000;
  const dear = longTextsFor(pattern).find((textOf) => {
    const short = stepped.replaceIn(textOf(length), manySteps);
    return !short || !stepped.replaceIn(textOf(2 * length), fewSteps + mostTimes * short.steps);
  });
  return dear ? JSON.stringify(dear(20)) : null;
}

const repeating = new Map(
  expressions
    .filter(({ pattern = '' }) => /[*+{]/.test(pattern))
    .map((expression) => [`/${expression.pattern}/${expression.flags}`, expression]),
);

describe('The regular expressions of src', () => {
  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(100);
    expect(repeating.size).toBeGreaterThan(50);
  });

  // Whether recheck finds them linear too, `npm run check` asks: it takes half a minute.
  it('take twice the steps for texts twice as long', () => {
    const dear = [...repeating].map(([key, expression]) => [expression.place, key, dearTextFor(expression)]);
    expect(dear.filter(([, , text]) => text !== null)).toEqual([]);
  });
});

describe('The count of steps', () => {
  it('finds what RegExp finds', () => {
    const different: string[][] = [];
    for (const { pattern = '', flags } of repeating.values()) {
      const [expression, stepped] = [new RegExp(pattern, flags), new SteppedExpression(pattern, flags)];
      // Texts within the bounds that the count narrows.
      const texts = longTextsFor(pattern).map((textOf) => textOf(8));
      different.push(
        ...texts
          .filter((text) => stepped.replaceIn(text)?.rest !== text.replace(expression, ''))
          .map((text) => [pattern, text]),
      );
    }
    expect(different).toEqual([]);
  });

  it.each([
    [/,+$/, 'the square of the length, from every beginning'],
    [/^\s*\s*x/, 'the square of the length, by two neighbours'],
    [/(?<=\s+)x/, 'the square of the length within a lookbehind'],
    [/<!--.*?-->/s, 'the square of the length, for want of an end'],
    [/^(?:a+)+$/, 'exponential steps'],
    [/^(?:a|a)*$/, 'exponential steps, by alternatives'],
    [/^(?=(\s+)+$)/, 'exponential steps within a lookahead'],
    [/^(a+)(.*)\1#/, 'the square of the length, by a reference'],
  ])('shows that %s takes %s', ({ source, flags }) => {
    expect(dearTextFor({ place: '', pattern: source, flags })).toEqual(expect.any(String));
  });

  it.each([[/^[^,]*,/], [/a+b*/g], [/^(?:[^"\\]|\\.)*$/], [/^[a-z](?:-?[a-z0-9]){0,62}$/i], [/\d{1,3}\./]])(
    'shows that %s is linear',
    ({ source, flags }) => {
      expect(dearTextFor({ place: '', pattern: source, flags })).toBeNull();
    },
  );
});

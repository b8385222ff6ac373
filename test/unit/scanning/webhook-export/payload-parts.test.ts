import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cuts, partsOf } from '../../../../src/scanning/webhook-export/payload-parts.js';

const mebibyte = 1024 * 1024;

/** An array as it is frozen, of elements of these lengths, with the places where it may be cut. */
function frozen(lengths: number[], perPiece: number) {
  const elements = lengths.map((length, at) => String(at).padStart(length, '0'));
  const cuts = new Cuts();
  let text = '[';
  for (const [at, element] of elements.entries()) {
    text += (at === 0 ? '' : ',') + element;
    if (at % perPiece === 0 || at === elements.length - 1) cuts.at(text.length);
  }
  return { text: `${text}]`, cuts: cuts.places, elements };
}

describe('Parts of a payload', () => {
  it('have every element once, in order, and no more bytes than a part takes', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 700_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lengths, lengths, fc.integer({ min: 1, max: 3 }), (issues, assets, perPiece) => {
        const [first, second] = [frozen(issues, perPiece), frozen(assets, perPiece)];
        const rootBytes = { issues: first.text.length, assets: second.text.length };
        const most = 5 * mebibyte;
        const parts = partsOf(rootBytes, { issues: first.cuts, assets: second.cuts }, most);
        const sent = (text: string, root: 'issues' | 'assets') =>
          parts.flatMap((part) => (part[root] ? text.slice(...part[root]).split(',') : []));
        expect(sent(first.text, 'issues')).toEqual(first.elements);
        expect(sent(second.text, 'assets')).toEqual(second.elements);
        for (const part of parts) {
          const bytes = Object.values(part).reduce((sum, [from, to]) => sum + to - from, 0);
          expect(bytes).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are one where everything fits', () => {
    expect(partsOf({ issues: 10, assets: 2 }, {}, 1_000)).toEqual([{ issues: [1, 9] }]);
  });
});

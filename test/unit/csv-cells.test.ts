import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell as cellOfConsole } from '../../packages/console/src/parts/csv.js';
import { csvCell as cellOfClient } from '../../packages/client/src/output/csv.js';
import { csvCell as cellOfService } from '../../src/platform/http/csv-cell.js';
import { anyText } from '../support/any-text.js';

const writers = Object.entries({ console: cellOfConsole, client: cellOfClient, service: cellOfService });
const texts = fc.oneof(
  anyText(),
  fc.stringMatching(/^[a =+@＝'";,\t\r\n-]{0,8}$/),
  fc.constantFrom('2026;=1+1', 'a\t@SUM(A1)', 'x";=1', '\u0000=1', '\u001b[31mred', '\n-1', "'=1"),
);

/** The cells of a file that holds the text between two others, as a spreadsheet reads it that splits at the separator. */
function cellsAt(separator: string, cell: string): string[] {
  const file = `first,${cell},last\r\n`;
  // What is not quoted as this separator wants it is taken as it stands, as spreadsheets do.
  return parse(file, { delimiter: separator, relax_quotes: true, relax_column_count: true }).flat();
}

describe.each(writers)('A cell of CSV that the %s writes', (_writer, cellOf) => {
  it('begins no formula, whichever separator a spreadsheet splits at, and has no control characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cell = cellOf(text);
        expect(cell).not.toMatch(/(?![\t\r\n])\p{Cc}/u);
        // Line by line too: a value of several lines is several rows where its quotes are not the separator's.
        const lines = cell.split(/[\r\n]/).flatMap((line) => line.split(/[;\t]/));
        for (const line of lines) expect(line).not.toMatch(/^["']*(?<!')[=+\-@＝＋－＠]/);
        for (const one of cellsAt(',', cell)) expect(one).not.toMatch(/^[=+\-@＝＋－＠]/);
      }),
    );
  });

  it('is the same as that of the other writers', () => {
    fc.assert(fc.property(texts, (text) => expect(cellOf(text)).toBe(cellOfService(text))));
  });

  it('leaves ordinary texts as they are', () => {
    for (const text of ['T-shirt, -20 %', 'a=b', 'mail@example.com', 'co-op', 'Grün']) {
      expect(cellsAt(',', cellOf(text))).toEqual(['first', text, 'last']);
    }
  });
});

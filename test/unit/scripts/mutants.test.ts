import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from '../../../scripts/mutants.js';

/** What became of a line, by each mutant of the text. */
const linesOf = (text: string, fileName = 'rule.ts') => mutantsOf(fileName, text).map(({ after }) => after);

describe('mutantsOf', () => {
  it('moves the bounds of comparisons, and turns them', () => {
    expect(linesOf('const isShort = left < asked;')).toEqual([
      'const isShort = left <= asked;',
      'const isShort = left >= asked;',
    ]);
    expect(linesOf('const is = a === b;')).toEqual(['const is = a !== b;']);
  });

  it('turns sums, conditions and the words that join them', () => {
    expect(linesOf('const sum = a + b;')).toEqual(['const sum = a - b;']);
    expect(linesOf('const isIt = a && !b;')).toEqual(['const isIt = a || !b;', 'const isIt = a && b;']);
    expect(linesOf('const one = is ? a : b;')).toEqual(['const one = true ? a : b;', 'const one = false ? a : b;']);
    expect(linesOf('const all = Math.min(a, b);')).toEqual(['const all = Math.max(a, b);']);
  });

  it('leaves statements out', () => {
    const text = 'function f() {\n  pay();\n  if (a) return b;\n  throw c;\n}';
    expect(mutantsOf('rule.ts', text).map(({ line, after }) => [line, after])).toEqual([
      [2, ';'],
      [3, 'if (true) return b;'],
      [3, 'if (false) return b;'],
      [3, 'if (a) return undefined;'],
      [4, ';'],
    ]);
  });

  it('changes the numbers and names of rules, and no text for people', () => {
    expect(linesOf('const most = 1_000;')).toEqual(['const most = 1001;']);
    expect(linesOf("const all = ['paid', 'sent'];")).toEqual([
      "const all = ['', 'sent'];",
      "const all = ['paid', ''];",
    ]);
    expect(linesOf("say('Hello');")).toEqual([';']);
    expect(linesOf("const text = 'a' + b;")).toEqual([]);
    expect(linesOf("import a from 'b';\ntype C = 'd' | 1;")).toEqual([]);
  });

  it('changes the rules in statements, and nowhere else', () => {
    const text = 'const sql = `SELECT FROM a WHERE b > ${c} AND d = 1 FOR UPDATE`;';
    expect(linesOf(text, 'a.statements.ts')).toEqual([
      'const sql = `SELECT FROM a WHERE b >= ${c} AND d = 1 FOR UPDATE`;',
      'const sql = `SELECT FROM a WHERE b > ${c} AND d <> 1 FOR UPDATE`;',
      'const sql = `SELECT FROM a WHERE b > ${c} OR d = 1 FOR UPDATE`;',
      'const sql = `SELECT FROM a WHERE b > ${c} AND d = 1 `;',
    ]);
    expect(linesOf(text)).toEqual([]);
  });

  it('says where each is, with the line before it, and changes nothing else of the file', () => {
    const text = '// a comment\nconst is = a < b;\nconst other = 1;\n';
    const [first] = mutantsOf('src/rule.ts', text);
    expect(first).toEqual({
      id: 'src/rule.ts:2#1',
      line: 2,
      before: 'const is = a < b;',
      after: 'const is = a <= b;',
      text: '// a comment\nconst is = a <= b;\nconst other = 1;\n',
    });
    expect(mutantsOf('src/rule.ts', text, [3, 3]).map(({ line }) => line)).toEqual([3]);
  });
});

import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { projectFiles, projectText } from '../support/project-files.js';

/** Files that may hold SQL, by name. */
const holders = /\.(repository|statements|entity)\.ts$|^src\/database\/migrations\//;

/** Texts that look like SQL and never reach a database. */
const otherTexts: Record<string, string> = {
  'packages/demo/src/data/scanning/issues/estate.ts': 'code that a finding of the demo shows',
  'src/database/distribution/spread-scans.ts': 'sentences that tell an operator what to run',
  'src/scanning/scan-events/scan-event-append.dto.ts': 'the example of a matched text',
};

const sql = new RegExp(
  [
    String.raw`\b(SELECT|INSERT INTO|DELETE FROM|TRUNCATE|LISTEN|CREATE (ROLE|DATABASE|TABLE|INDEX)|ALTER TABLE|LOCK TABLE)\b`,
    String.raw`\bUPDATE\s+\S+\s+(AS \S+\s+|\S+\s+)?SET\b`,
    String.raw`\b(LEFT |INNER |CROSS )?JOIN (LATERAL )?[a-z_(]+`,
    String.raw`\b(ORDER BY|GROUP BY) \S`,
    String.raw`\bgraphile_worker\.`,
  ].join('|'),
);

function sqlIn(path: string): string[] {
  const file = ts.createSourceFile(path, projectText(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(file);
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      if (sql.test(text)) return void found.push(`${path}:${line + 1} ${text.replace(/\s+/g, ' ').slice(0, 60)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const found = [...projectFiles('src', /\.ts$/), ...projectFiles('packages/demo/src', /\.ts$/)]
  .filter((path) => !holders.test(path))
  .flatMap(sqlIn);

describe('SQL', () => {
  it('stands only in repositories and files of statements', () => {
    const isOther = (place: string) => Object.keys(otherTexts).includes(place.split(':')[0] ?? '');
    expect(found.filter((place) => !isOther(place))).toEqual([]);
  });

  it('has no unnecessary exception', () => {
    const files = new Set(found.map((place) => place.split(':')[0]));
    expect(Object.keys(otherTexts).filter((path) => !files.has(path))).toEqual([]);
  });
});

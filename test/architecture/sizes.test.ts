import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { projectFiles, projectText } from '../support/project-files.js';

const mostLines = 1_500;
const mostParts = 8;
const mostFunctionLines = 60;
const mostFileLines = 300;

/** Classes that exceed the limit, and must not grow. */
const partsOf: Record<string, number> = {};

interface Size {
  name: string;
  size: number;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

const parts: Size[] = [];
const functions: Size[] = [];
for (const path of projectFiles('src', /\.ts$/)) {
  const file = ts.createSourceFile(path, projectText(path), ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  visit(file, (node) => {
    if (ts.isConstructorDeclaration(node))
      parts.push({ name: node.parent.name?.getText(file) ?? path, size: node.parameters.length });
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.body) {
      const size = lineAt(node.getEnd()) - lineAt(node.getStart(file)) + 1;
      functions.push({ name: `${path} ${node.name?.getText(file)}`, size });
    }
  });
}

const above = (sizes: Size[], most: number) =>
  Object.fromEntries(sizes.filter(({ size }) => size > most).map(({ name, size }) => [name, size]));

describe('src/database', () => {
  it(`has at most ${mostLines} lines without its migrations, which only grow in number`, () => {
    const files = projectFiles('src/database', /\.ts$/).filter((file) => !file.includes('/migrations/'));
    const lines = files.map((file) => projectText(file).split('\n').length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(mostLines);
  });
});

describe('A file of code', () => {
  it(`has at most ${mostFileLines} lines, components of the console too`, () => {
    const places = ['src', 'sdk/src', 'console/src', 'test', 'bench', 'scripts'];
    const files = places
      .flatMap((place) => projectFiles(place, /\.(ts|mjs|svelte|css)$/))
      .filter((file) => !file.startsWith('sdk/src/generated/'));
    expect(files.filter((file) => file.endsWith('.svelte')).length).toBeGreaterThan(0);
    const sizes = files.map((name) => ({ name, size: projectText(name).split('\n').length - 1 }));
    expect(above(sizes, mostFileLines)).toEqual({});
  });
});

describe('A class of src', () => {
  it(`has at most ${mostParts} dependencies, listed exceptions aside`, () => {
    expect(above(parts, mostParts)).toEqual(partsOf);
  });
});

describe('A function of src', () => {
  it(`has at most ${mostFunctionLines} lines, migrations aside`, () => {
    const written = functions.filter(({ name }) => !name.includes('/migrations/'));
    expect(above(written, mostFunctionLines)).toEqual({});
  });
});

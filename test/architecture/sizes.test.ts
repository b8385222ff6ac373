import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { projectFiles, projectText } from '../support/project-files.js';

const mostParts = 8;
const mostFileLines = 500;

interface Size {
  name: string;
  size: number;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

const parts: Size[] = [];
for (const path of projectFiles('src', /\.ts$/)) {
  const file = ts.createSourceFile(path, projectText(path), ts.ScriptTarget.Latest, true);
  visit(file, (node) => {
    if (ts.isConstructorDeclaration(node))
      parts.push({ name: node.parent.name?.getText(file) ?? path, size: node.parameters.length });
  });
}

const above = (sizes: Size[], most: number) =>
  Object.fromEntries(sizes.filter(({ size }) => size > most).map(({ name, size }) => [name, size]));

describe('A file of code', () => {
  it(`has at most ${mostFileLines} lines, components of the console too`, () => {
    const places = ['src', 'packages/sdk/src', 'packages/console/src', 'test', 'bench', 'scripts'];
    const files = places
      .flatMap((place) => projectFiles(place, /\.(ts|mjs|svelte|css)$/))
      .filter((file) => !file.startsWith('packages/sdk/src/generated/'));
    expect(files.filter((file) => file.endsWith('.svelte')).length).toBeGreaterThan(0);
    const sizes = files.map((name) => ({ name, size: projectText(name).split('\n').length - 1 }));
    expect(above(sizes, mostFileLines)).toEqual({});
  });
});

describe('A class of src', () => {
  it(`has at most ${mostParts} dependencies`, () => {
    expect(above(parts, mostParts)).toEqual({});
  });
});

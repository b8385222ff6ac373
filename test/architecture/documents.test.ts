import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'bench', 'test', 'packages', 'deploy'].flatMap((folder) => projectFiles(folder, /\.md$/)),
];
const link = /\]\(([^)\s]+)\)/g;
const foreign = /^(?:https?|mailto):/;

/** A heading as GitHub names it in an address. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(document: string): string[] {
  const prose = projectText(document).replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** Whether a link leads to a file of the checkout, and to a heading of it where it names one. */
function leads(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

/** Of the project, and of its packages. */
const manifests = ['package.json', ...projectFiles('packages', /^packages\/[^/]+\/package\.json$/)];

describe('A document', () => {
  it.each(documents)('%s links to files and headings that exist', (document) => {
    const targets = [...projectText(document).matchAll(link)].map(([, target = '']) => target);
    expect(targets.filter((target) => !foreign.test(target) && !leads(document, target))).toEqual([]);
  });

  it.each(documents)('%s names npm scripts that exist', (document) => {
    const scripts = new Set(
      manifests.flatMap((path) => {
        const manifest = JSON.parse(projectText(path)) as { scripts?: Record<string, string> };
        return Object.keys(manifest.scripts ?? {});
      }),
    );
    const named = [...projectText(document).matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.has(name))).toEqual([]);
  });
});

const scale = ['docs/scale.md', 'bench/SCALE.md'];
const textOfScale = scale.map(projectText).join('\n');

/** All of the sources that a command can be of. */
function sources(): string {
  const files = ['src', 'scripts'].flatMap((place) => projectFiles(place, /\.(?:ts|mjs)$/));
  return files.map(projectText).join('\n');
}

describe('What is said of several nodes', () => {
  it('names commands and flags of the service that exist', () => {
    const commands = [...textOfScale.matchAll(/dist\/src\/main\.js (--[a-z-]+)/g)].map(([, flag]) => flag);
    const flags = [...textOfScale.matchAll(/npm run [\w:-]+ -- (?:[A-Z/.\w]+ )?(--[a-z-]+)/g)].map(([, flag]) => flag);
    const named = [...new Set([...commands, ...flags])];
    expect(named.length).toBeGreaterThan(4);
    const text = sources();
    expect(named.filter((flag) => !text.includes(`'${flag}'`))).toEqual([]);
  });

  it('names simulations that exist', () => {
    const asked = [...textOfScale.matchAll(/bench -- scale ([a-z0-9]+(?:-[a-z]+)*)/g)].map(([, name = '']) => name);
    const main = projectText('bench/scale/main.ts');
    const [, list = ''] = /const simulations[^{]*\{([^]*?)\n\};/.exec(main) ?? [];
    const known = new Set([...list.matchAll(/^ {2}'?([a-z0-9-]+)'?[:,]/gm)].map(([, name]) => name));
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('sets settings that the service, its tests or its bench read', () => {
    const settings = projectText('.env.example');
    const harness = ['bench', 'test/support', 'scripts'].flatMap((place) => projectFiles(place, /\.(?:ts|mjs)$/));
    const read = harness.map((file) => readFileSync(file, 'utf8')).join('\n');
    const named = new Set(
      [
        ...textOfScale.matchAll(/`([A-Z]{2,}(?:_[A-Z]+)+)(?:=[^`]*)?`/g),
        ...textOfScale.matchAll(/^([A-Z_]{4,})=/gm),
      ].map(([, name = '']) => name),
    );
    const isKnown = (name: string) =>
      new RegExp(`^#?${name}=`, 'm').test(settings) || read.includes(`'${name}'`) || read.includes(`env.${name}`);
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !isKnown(name))).toEqual([]);
  });

  it('tells of tests that exist', () => {
    const named = textOfScale.match(/\btest\/[\w./-]*\w/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existsSync(name))).toEqual([]);
  });
});

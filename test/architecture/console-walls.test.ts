import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

interface Import {
  from: string;
  to: string;
  /** Whether it imports only types, or values of the SDK's enums. */
  type: boolean;
}

const sdk = '@store-service/sdk';
const statement = /^\s*import\s+(type\s+)?(?:(\{[^}]*\}|[\w$*\s,{}]+?)\s+from\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

const enums = projectText('packages/sdk/src/generated/types.gen.ts').matchAll(/^export const (\w+) = \{$/gm);
const enumNames = new Set([...enums].map(([, name]) => name ?? ''));

function isOfTypes(keyword: string | undefined, names: string | undefined): boolean {
  if (keyword) return true;
  const parts = names?.startsWith('{') ? names.replace(/[{}]/g, '').split(',') : [];
  return parts.length > 0 && parts.every((part) => /^(type .*)?$/.test(part.trim()) || enumNames.has(part.trim()));
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(([, keyword, names, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? '';
    const to = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
    return {
      from: path.replace('packages/console/src/', ''),
      to: to.replace('packages/console/src/', ''),
      type: isOfTypes(keyword, names),
    };
  });
}

const sources = projectFiles('packages/console/src', /\.(ts|svelte)$/);
const imports = sources.flatMap((path) => importsOf(path, projectText(path)));
/** Where the sentence of a problem is read, rather than the problem passed on to what shows it. */
const sentence = /\bproblem(Of\([^)]*\))?\.text\b|\btext\b[^}\n]*\} = (problemOf\(|\w+\.problem\b)/;
const withoutRequest = (text: string): boolean => sentence.test(text) && !text.includes('requestId');

const wings = /^(account|scanning|shop)\//;
const shown = imports.filter(({ from, to }) => from === 'screens.ts' && wings.test(to));
const screens = new Set(shown.map(({ to }) => to));

/** The folders that import each other in a circle. */
function cyclesOf(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [here, there] = [dirname(from), dirname(to)];
    if (here !== there && here !== '.' && there !== '.') next.set(here, (next.get(here) ?? new Set()).add(there));
  }
  const reached = (start: string): Set<string> => {
    const seen = new Set<string>();
    const waiting = [...(next.get(start) ?? [])];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (!seen.has(one)) waiting.push(...(next.get(one) ?? []));
      seen.add(one);
    }
    return seen;
  };
  return [...next.keys()].filter((folder) => reached(folder).has(folder));
}

const rules: Record<string, (one: Import) => boolean> = {
  'parts know no screen and no route of the service': ({ from, to }) =>
    from.startsWith('parts/') && !/^(parts\/|texts\/|router\.|api\/problem\.)/.test(to) && isOwn(to),
  'what calls the service knows nothing that is shown': ({ from, to }) =>
    from.startsWith('api/') && isOwn(to) && !/^(api\/|texts\/|router\.)/.test(to), // the address names the organization
  'api alone runs the SDK; all else takes its types and values': ({ from, to, type }) =>
    to.startsWith(sdk) && !type && !from.startsWith('api/'),
  'screens are shown by the list of screens alone': ({ from, to }) => screens.has(to) && from !== 'screens.ts',
  'the wings are apart': ({ from, to }) =>
    wings.test(from) && wings.test(to) && from.split('/')[0] !== to.split('/')[0],
  'the palette knows no screen': ({ from, to }) => from.startsWith('palette/') && wings.test(to),
  'nothing is taken from outside but packages': ({ to }) =>
    to.startsWith('../') || /^(console|src|sdk|test)\//.test(to),
};

function isOwn(to: string): boolean {
  return !/^(node:|@|[a-z-]+$|[a-z-]+\/(dist|store|reactivity|transition|motion|elements))/.test(to) || wings.test(to);
}

const breaches: Record<string, { from: string; text: string }> = {
  'parts know no screen and no route of the service': {
    from: 'packages/console/src/parts/table.svelte',
    text: "import { service } from '../api/service.js';",
  },
  'what calls the service knows nothing that is shown': {
    from: 'packages/console/src/api/problem.ts',
    text: "import { toast } from '../parts/toasts.svelte.js';",
  },
  'api alone runs the SDK; all else takes its types and values': {
    from: 'packages/console/src/shop/orders/orders.svelte',
    text: "import { type Order, OrderStatus, pages } from '@store-service/sdk';",
  },
  'screens are shown by the list of screens alone': {
    from: 'packages/console/src/shop/orders/order-drawer.svelte',
    text: "import Products from '../products/products.svelte';",
  },
  'the wings are apart': {
    from: 'packages/console/src/shop/orders/statuses.ts',
    text: "import type { Run } from '../../scanning/run-outcome.js';",
  },
  'the palette knows no screen': {
    from: 'packages/console/src/palette/finds.ts',
    text: "const orders = () => import('../shop/orders/order-filter.js');",
  },
  'nothing is taken from outside but packages': {
    from: 'packages/console/src/main.ts',
    text: "import { Settings } from '../../../src/config/settings.js';",
  },
};

describe('The walls of the console', () => {
  it('are checked in all of it', () => {
    expect(imports.length).toBeGreaterThan(500);
  });

  it.each(Object.entries(rules))('%s', (_rule, isBreach) => {
    expect(imports.filter(isBreach)).toEqual([]);
  });

  it('let no failure be shown without the id of its request', () => {
    expect(sources.filter((path) => withoutRequest(projectText(path)))).toEqual([]);
    const withNone = [
      'say(problemOf(error).text)',
      '<p>{problem.text}</p>',
      'const { text, code } = problemOf(error);',
    ];
    expect(withNone.filter((text) => !withoutRequest(text))).toEqual([]);
  });

  it('allow no cycle of folders', () => {
    expect(cyclesOf(imports)).toEqual([]);
    const there = { from: 'shop/orders/orders.svelte', to: 'shop/products/price.js' };
    const back = { from: 'shop/products/price.ts', to: 'shop/orders/order-filter.js' };
    expect(cyclesOf([there, back])).toEqual(['shop/orders', 'shop/products']);
  });

  it.each(Object.entries(rules))('%s: a breach is found', (rule, isBreach) => {
    const { from, text } = breaches[rule] ?? { from: '', text: '' };
    expect(importsOf(from, text).filter(isBreach)).toHaveLength(1);
  });
});

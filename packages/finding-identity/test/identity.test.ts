import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertOrganization } from '../../../test/support/organizations.js';
import { Imports } from '../../../test/support/report-imports.js';
import { startTestApp, type TestApp } from '../../../test/support/test-app.js';

interface KitReport {
  file: string;
  format: string;
  asset: string;
  root?: string;
  mapping?: object;
  content: Buffer;
}

interface KitPair {
  format: string;
  name: string;
}

interface Adapter {
  fresh: (pair: KitPair) => Promise<Imports>;
  importReport: (project: Imports, report: KitReport) => Promise<{ id: string; rule: string }[]>;
}

interface Kit {
  expectations: () => KitPair[];
  checkPair: (adapter: Adapter, pair: KitPair) => Promise<string[]>;
}

const home = new URL('../', import.meta.url);
// The kit is plain JavaScript, for whoever runs it without a build.
const { expectations, checkPair } = (await import(new URL('src/index.mjs', home).href)) as Kit;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** This service, as the kit sees it. */
const adapter: Adapter = {
  async fresh() {
    return new Imports(app.api, (await insertOrganization(app)).member.token);
  },
  async importReport(imports, { content, asset, root, mapping }) {
    const query = new URLSearchParams({ asset, ...(root === undefined ? {} : { root }) });
    if (mapping) query.set('mapping', JSON.stringify(mapping));
    const { issues } = await imports.import(content.toString(), `?${query.toString()}`);
    return issues.filter(({ outcome }) => outcome !== 'GONE').map(({ id, rule }) => ({ id, rule }));
  },
};

describe('The kit', () => {
  it('is what its writers make', () => {
    const make = fileURLToPath(new URL('src/make.mjs', home));
    expect(execFileSync(process.execPath, [make, '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('finds a system that takes everything for new, and one that takes everything for one', async () => {
    const [pair] = expectations();
    if (!pair) throw new Error('There is no pair');
    let made = 0;
    const asNew = { fresh: adapter.fresh, importReport: () => Promise.resolve([{ id: String(made++), rule: 'a' }]) };
    const asOne = { fresh: adapter.fresh, importReport: () => Promise.resolve([{ id: 'one', rule: 'a' }]) };
    expect(await checkPair(asNew, pair)).toEqual(expect.arrayContaining([expect.stringContaining('are same')]));
    expect(await checkPair(asOne, pair)).toEqual([expect.stringContaining('are same')]);
  });
});

describe('This service', () => {
  const formats = [...new Set(expectations().map(({ format }) => format))];

  it.each(formats)('knows findings again in %s', async (format) => {
    const faults: string[] = [];
    for (const pair of expectations().filter((one) => one.format === format)) {
      faults.push(...(await checkPair(adapter, pair)).map((fault) => `${pair.name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

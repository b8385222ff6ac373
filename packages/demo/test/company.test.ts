import { describe, expect, it } from '@jest/globals';
import { assets } from '../src/data/scanning/assets.js';
import * as company from '../src/data/scanning/company.js';
import { issues } from '../src/data/scanning/issues.js';
import { scans } from '../src/data/scanning/scans.js';
import { people } from '../src/data/shop/people.js';
import { maskParameters, secretPaths } from '../../../src/scanning/integrations/parameter-masks.js';
import { detailOfClass } from '../../../src/scanning/assets/asset-draft.js';
import { targetDetails } from '../../../src/scanning/issues/issue-target.dto.js';
import * as words from '../../../src/scanning/vocabulary.js';

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

/** The words of the list that none of the things has under `key`. */
function unused<Key extends string>(
  list: readonly string[],
  things: readonly Readonly<Record<Key, string | null>>[],
  key: Key,
): string[] {
  return list.filter((word) => !things.some((thing) => thing[key] === word));
}

function namesOf(things: readonly { name: string }[]): string[] {
  return things.map(({ name }) => name);
}

describe('the assets of the demo', () => {
  it('are of every class, and no two have the same name', () => {
    expect(unused(words.assetClasses, assets, 'class')).toEqual([]);
    expect(repeated(assets.map(({ name }) => name))).toEqual([]);
  });

  it('have the detail that goes with their class', () => {
    for (const asset of assets) {
      const { service, frontend, host, repository, schema } = asset;
      const details = Object.entries({ service, frontend, host, repository, schema }).filter(([, detail]) => detail);
      const expected = detailOfClass[asset.class];
      expect(details.map(([name, detail]) => [name, detail?.type])).toEqual(expected ? [[expected, asset.type]] : []);
    }
  });

  it('use every tag', () => {
    const used = assets.flatMap(({ tags }) => tags);
    expect(used).toEqual(expect.arrayContaining(namesOf(company.tags)));
  });
});

describe('the organization of the demo', () => {
  it('has one member of each role, all users of the shop', () => {
    expect(company.members.map(({ role }) => role).sort()).toEqual(['admin', 'member', 'viewer']);
    const usernames = company.members.map(({ username }) => username);
    expect(people.map(({ username }) => username)).toEqual(expect.arrayContaining(usernames));
  });

  it('has the shopper, whose password is public, as a viewer', () => {
    expect(company.members.find(({ username }) => username === 'demo')?.role).toBe('viewer');
  });

  it('has locations and profiles of every type', () => {
    expect(unused(words.locationTypes, company.locations, 'type')).toEqual([]);
    expect(unused(words.profileTypes, company.profiles, 'type')).toEqual([]);
  });

  it('has integrations whose credentials are masked when read', () => {
    const paths = company.integrations.flatMap(({ kind, parameters }) => secretPaths(kind, parameters));
    expect(paths).toEqual(['apiKey', 'accessKeyId', 'secretAccessKey', 'apiToken']);
    const shown = JSON.stringify(company.integrations.map(({ kind, parameters }) => maskParameters(kind, parameters)));
    expect(shown).not.toMatch(/demo-(codehost-key|secret-access-key|dns-token)/);
  });

  it('has an enabled workflow for serious new issues, and no enabled schedule', () => {
    const on = company.workflows.filter(({ enabled }) => enabled);
    expect(on.map(({ trigger }) => trigger)).toEqual(['NEW_ISSUE', 'MANUAL']);
  });
});

describe('the scans of the demo', () => {
  it('are in every status, and name only existing profiles, locations and assets', () => {
    expect(unused(words.scanStatuses, scans, 'status')).toEqual([]);
    const locations = scans.flatMap(({ location }) => location ?? []);
    expect(namesOf(company.profiles)).toEqual(expect.arrayContaining(scans.map(({ profile }) => profile)));
    expect(namesOf(company.locations)).toEqual(expect.arrayContaining(locations));
    expect(namesOf(assets)).toEqual(expect.arrayContaining(scans.flatMap((scan) => scan.assets)));
  });

  it('have full progress exactly when finished', () => {
    for (const { status, progressRatio } of scans) expect(progressRatio === 1).toBe(status === 'FINISHED');
  });
});

describe('the issues of the demo', () => {
  it('are about sixty, distinguished by asset and name', () => {
    expect(issues.length).toBeGreaterThanOrEqual(50);
    expect(issues.length).toBeLessThanOrEqual(70);
    expect(repeated(issues.map(({ asset, name }) => `${asset}: ${name}`))).toEqual([]);
  });

  it('are of every severity, status and category, with targets of every kind', () => {
    expect(unused(words.issueSeverities, issues, 'severity')).toEqual([]);
    expect(unused(words.issueStatuses, issues, 'status')).toEqual([]);
    expect(unused(words.issueCategories, issues, 'category')).toEqual([]);
    const kinds = issues.flatMap(({ targets }) =>
      targetDetails.filter((kind) => targets.some((target) => target[kind])),
    );
    expect(new Set(kinds)).toEqual(new Set(targetDetails));
  });

  it('were found by scans that had their asset', () => {
    for (const { asset, scans: found } of issues) {
      for (const key of found) expect(scans.find((scan) => scan.key === key)?.assets).toContain(asset);
    }
  });

  it('have a note if people changed their status', () => {
    expect(issues.filter(({ status, note }) => status !== 'OPEN' && note === undefined)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { assets } from '../../../../../src/database/demo/scanning/assets.js';
import * as company from '../../../../../src/database/demo/scanning/company.js';
import { issues } from '../../../../../src/database/demo/scanning/issues.js';
import { scans } from '../../../../../src/database/demo/scanning/scans.js';
import { people } from '../../../../../src/database/demo/people.js';
import { maskParameters, secretPaths } from '../../../../../src/scanning/integrations/parameter-masks.js';
import { detailOfClass } from '../../../../../src/scanning/assets/asset-draft.js';
import * as words from '../../../../../src/scanning/vocabulary.js';

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

function missing(all: readonly string[], used: readonly (string | null)[]): string[] {
  return all.filter((word) => !used.includes(word));
}

describe('the assets of the demo', () => {
  it('are of every class, by names of their own', () => {
    expect(
      missing(
        words.assetClasses,
        assets.map((asset) => asset.class),
      ),
    ).toEqual([]);
    expect(repeated(assets.map(({ name }) => name))).toEqual([]);
  });

  it('have the detail that goes with their class', () => {
    for (const asset of assets) {
      expect(asset.detail?.name).toBe(detailOfClass[asset.class as words.AssetClass]);
      if (asset.detail) expect(asset.detail.fields['type']).toBe(asset.type);
    }
  });

  it('bear only words that the wing knows', () => {
    const types = assets.map(({ type }) => type);
    expect(types.filter((type) => !words.assetTypes.some((known) => known === type))).toEqual([]);
  });

  it('have every tag among them', () => {
    const used = assets.flatMap(({ tags }) => tags);
    expect(
      missing(
        company.tags.map(({ name }) => name),
        used,
      ),
    ).toEqual([]);
  });
});

describe('the company of the demo', () => {
  it('has members of every role, all people of the shop, of whom one is an admin', () => {
    expect(company.members.map(({ role }) => role).sort()).toEqual(['admin', 'member', 'viewer']);
    expect(
      missing(
        company.members.map(({ username }) => username),
        people.map(({ username }) => username),
      ),
    ).toEqual([]);
  });

  it('lets the shopper whose password is public look and no more', () => {
    expect(company.members.find(({ username }) => username === 'demo')?.role).toBe('viewer');
  });

  it('has locations and profiles of every type', () => {
    expect(
      missing(
        words.locationTypes,
        company.locations.map(({ type }) => type),
      ),
    ).toEqual([]);
    expect(
      missing(
        words.profileTypes,
        company.profiles.map(({ type }) => type),
      ),
    ).toEqual([]);
  });

  it('has integrations whose credentials are masked when they are read', () => {
    const paths = company.integrations.flatMap(({ kind, parameters }) => secretPaths(kind, parameters));
    expect(paths).toEqual(['apiKey', 'accessKeyId', 'secretAccessKey', 'apiToken']);
    const shown = JSON.stringify(company.integrations.map(({ kind, parameters }) => maskParameters(kind, parameters)));
    expect(shown).not.toMatch(/demo-(codehost-key|secret-access-key|dns-token)/);
  });

  it('has a workflow for serious new issues that is on, and no schedule that is', () => {
    const on = company.workflows.filter(({ enabled }) => enabled);
    expect(on.map(({ trigger }) => trigger)).toEqual(['NEW_ISSUE', 'MANUAL']);
  });
});

describe('the scans of the demo', () => {
  it('are in every status, of profiles, locations and assets that there are', () => {
    expect(
      missing(
        words.scanStatuses,
        scans.map(({ status }) => status),
      ),
    ).toEqual([]);
    const [profiles, locations] = [company.profiles.map(({ name }) => name), company.locations.map(({ name }) => name)];
    expect(
      missing(
        scans.map(({ profile }) => profile),
        profiles,
      ),
    ).toEqual([]);
    expect(
      missing(
        scans.flatMap(({ location }) => location ?? []),
        locations,
      ),
    ).toEqual([]);
    expect(
      missing(
        scans.flatMap((scan) => scan.assets),
        assets.map(({ name }) => name),
      ),
    ).toEqual([]);
  });

  it('have come to their end exactly when they are whole', () => {
    for (const { status, progressRatio } of scans) expect(progressRatio === 1).toBe(status === 'FINISHED');
  });
});

describe('the issues of the demo', () => {
  it('are about sixty, told apart by asset and name', () => {
    expect(issues.length).toBeGreaterThanOrEqual(50);
    expect(issues.length).toBeLessThanOrEqual(70);
    expect(repeated(issues.map(({ asset, name }) => `${asset}: ${name}`))).toEqual([]);
  });

  it('are of every severity, status and category, with targets of every kind', () => {
    expect(
      missing(
        words.issueSeverities,
        issues.map(({ severity }) => severity),
      ),
    ).toEqual([]);
    expect(
      missing(
        words.issueStatuses,
        issues.map(({ status }) => status),
      ),
    ).toEqual([]);
    expect(
      missing(
        words.issueCategories,
        issues.map(({ category }) => category),
      ),
    ).toEqual([]);
    const kinds = issues.flatMap(({ targets }) => targets.map(({ kind }) => kind));
    expect(new Set(kinds).size).toBe(5);
  });

  it('were found by scans that had their asset', () => {
    for (const { asset, scans: found } of issues) {
      for (const key of found) expect(scans.find((scan) => scan.key === key)?.assets).toContain(asset);
    }
  });

  it('say why where people moved them', () => {
    expect(issues.filter(({ status, note }) => status !== 'OPEN' && note === undefined)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nearestWord } from '../../src/commands/nearest-word.js';
import { readPolicy } from '../../src/gate/policy.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function policyOf(content: string): Promise<unknown> {
  const file = join(folder, '.store-gate.yml');
  await writeFile(file, content);
  return readPolicy(file, nearestWord).catch((error: Error) => error.message.replace(`${folder}/`, ''));
}

describe('readPolicy', () => {
  it('reads YAML', async () => {
    const yaml = `
failOn: high # or worse
newOnly: true
maximum: {medium: 10}
ignore:
  - rule: R1
    reason: accepted
    until: 2027-01-31
`;
    expect(await policyOf(yaml)).toEqual({
      failOn: 'HIGH',
      newOnly: true,
      maximum: { MEDIUM: 10 },
      ignore: [{ rule: 'R1', reason: 'accepted', until: '2027-01-31' }],
    });
  });

  it('reads JSON, and an empty file', async () => {
    expect(await policyOf('{"maximum": {"critical": 0}}')).toEqual({ maximum: { CRITICAL: 0 }, ignore: [] });
    expect(await policyOf('')).toEqual({ maximum: {}, ignore: [] });
  });

  it.each([
    ['fialOn: high', '.store-gate.yml: the policy has no key fialOn: did you mean failOn?'],
    ['color: red', '.store-gate.yml: the policy has no key color: there are failOn, newOnly, maximum, ignore'],
    ['maximum: {hihg: 1}', '.store-gate.yml: maximum has no key hihg: did you mean high?'],
    ['maximum: {high: -1}', '.store-gate.yml: maximum.high is a whole number from 0'],
    ['failOn: severe', '.store-gate.yml: failOn is one of critical, high, medium, low, info, not severe'],
    ['newOnly: yes', '.store-gate.yml: newOnly is true or false'],
    ['- failOn', '.store-gate.yml: the policy is a mapping with failOn, newOnly, maximum, ignore'],
    ['ignore: R1', '.store-gate.yml: ignore is a list, each entry with rule, path or asset, and with reason and until'],
    [
      'ignore: [{rule: R1, until: 2027-01-31}]',
      '.store-gate.yml: ignore[0] lacks reason: what is ignored has a rule, path or asset, a reason and a last day (until)',
    ],
    [
      'ignore: [{rule: R1, reason: x, until: soon}]',
      '.store-gate.yml: ignore[0].until is a day such as 2026-12-31, not soon',
    ],
    ['ignore: [{rule: R1, raeson: x}]', '.store-gate.yml: ignore[0] has no key raeson: did you mean reason?'],
    ['failOn: [', expect.stringMatching(/^\.store-gate\.yml is no YAML: /)],
    ['a: &a [1]\nb: *a', expect.stringMatching(/^\.store-gate\.yml is no YAML: /)],
  ])('names what is wrong in %j', async (content, message) => {
    expect(await policyOf(content)).toEqual(message);
  });

  it('names a file that is missing, a folder, or too large', async () => {
    await expect(readPolicy(folder, nearestWord)).rejects.toThrow(/Cannot read the policy .*: it is a folder$/);
    await expect(readPolicy(join(folder, 'none'), nearestWord)).rejects.toThrow(
      /Cannot read the policy .*: there is no such file/,
    );
    expect(await policyOf('#'.repeat(1_000_001))).toMatch(/larger than 1 MB/);
  });
});

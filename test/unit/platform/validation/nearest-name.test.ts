import { describe, expect, it } from '@jest/globals';
import { nearestName } from '../../../../src/platform/validation/nearest-name.js';

const known = ['name', 'trigger', 'conditions', 'throttleMs', 'assetIds', 'issueIds', 'securityTestUid'];

describe('The nearest known name', () => {
  it.each([
    ['asset_ids', 'assetIds'],
    ['AssetIDs', 'assetIds'],
    ['nmae', 'name'],
    ['nam', 'name'],
    ['condition', 'conditions'],
    ['throttle', 'throttleMs'],
    ['securityTestUuid', 'securityTestUid'],
    ['isueIds', 'issueIds'],
    ['trigger ', 'trigger'],
  ])('of %s is %s', (given, near) => {
    expect(nearestName(given, known)).toBe(near);
  });

  it.each(['', 'x', 'colour', 'constructor', '__proto__', 'x'.repeat(100_000), '名前'])('of %.20s is none', (given) => {
    expect(nearestName(given, known)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { structureFault } from '../../../../src/platform/http/json-depth.js';

const faultOf = (json: string) => structureFault(Buffer.from(json));

describe('The structure of a JSON text', () => {
  it('may hold 50,000 values', () => {
    expect(faultOf(`[${'1,'.repeat(49_997)}1]`)).toBeNull();
    expect(faultOf(`[${'{},'.repeat(24_998)}{}]`)).toBeNull();
  });

  it('may not hold more values, of whatever kind', () => {
    for (const value of ['1', '{}', '[]', '"a"', '{"a":1}']) {
      expect(faultOf(`[${`${value},`.repeat(60_000)}1]`)).toMatch(/^holds more than 50000 values/);
    }
  });

  it('may be nested 64 levels deep and no deeper', () => {
    expect(faultOf('['.repeat(64))).toBeNull();
    expect(faultOf('['.repeat(65))).toBe('is nested deeper than 64 levels');
    expect(structureFault(Buffer.from('['.repeat(65)))).toContain('nested deeper');
  });

  it('does not count what strings contain', () => {
    expect(faultOf(`"${'[,{'.repeat(100_000)}"`)).toBeNull();
    expect(faultOf(String.raw`"\"${'[,{'.repeat(100_000)}"`)).toBeNull();
  });
});

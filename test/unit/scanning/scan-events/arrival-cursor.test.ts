import { describe, expect, it } from '@jest/globals';
import { afterSnapshot, decodeArrival, encodeArrival } from '../../../../src/scanning/scan-events/arrival-cursor.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('The cursor of arrivals', () => {
  it.each([
    afterSnapshot('10:10:'),
    afterSnapshot('10:20:10,14,19'),
    { seen: '5:9:7', until: '12:15:12,13', arrived: '11', id },
  ])('keeps its position: %j', (position) => {
    expect(decodeArrival(encodeArrival(position))).toEqual(position);
  });

  it.each(['20:10:', '10:20:9', '10:20:20', '10:20:14,14', '0:1:', '1:9223372036854775808:', '1:2', 'a:b:', '-1:2:'])(
    'refuses %s, which is no snapshot',
    (snapshot) => {
      expect(() => decodeArrival(encodeArrival(afterSnapshot(snapshot)))).toThrow();
      const midway = { seen: '1:2:', until: snapshot, arrived: '1', id };
      expect(() => decodeArrival(encodeArrival(midway))).toThrow();
    },
  );
});

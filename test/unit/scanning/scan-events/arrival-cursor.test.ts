import { describe, expect, it } from '@jest/globals';
import {
  afterBatch,
  type ArrivalPosition,
  decodeArrival,
  encodeArrival,
  isAfter,
} from '../../../../src/scanning/scan-events/arrival-cursor.js';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const epoch = '0123456789abcdef';

describe('The cursor of arrivals', () => {
  it.each<ArrivalPosition>([
    { epoch, number: 1_800_000_000_000_001, id },
    { epoch: 'ffffffffffffffff', number: 0, id },
    afterBatch(epoch, Number.MAX_SAFE_INTEGER - 1),
  ])('keeps its position, in 44 characters: %j', (position) => {
    const cursor = encodeArrival(position);
    expect([decodeArrival(cursor), cursor.length]).toEqual([position, 44]);
  });

  it('is refused if it is truncated, too long, of another version or holds too large a number', () => {
    const whole = Buffer.from(encodeArrival({ epoch, number: 5, id }), 'base64url');
    const changed = (at: number, byte: number) => Buffer.from(whole).fill(byte, at, at + 1);
    const broken = [whole.subarray(0, 32), Buffer.concat([whole, whole]), changed(0, 2), changed(9, 0x20)];
    for (const bytes of broken) expect(() => decodeArrival(bytes.toString('base64url'))).toThrow();
    expect(() => decodeArrival(`${whole.toString('base64url')}${'.'.repeat(40)}`)).toThrow();
  });

  it('is ordered by number, then by id', () => {
    const [first, second] = [
      { epoch, number: 5, id },
      { epoch, number: 5, id: '01890a5d-ac96-774b-bcce-b302099a8058' },
    ] as const;
    const inOrder = [afterBatch(epoch, 4), first, second, afterBatch(epoch, 5), { epoch, number: 6, id }];
    expect(inOrder.flatMap((one, at) => inOrder.filter((other) => isAfter(one, other)).length - at)).toEqual(
      inOrder.map(() => 0),
    );
  });
});

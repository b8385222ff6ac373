import { describe, expect, it } from '@jest/globals';
import { receiverFlags, Receivers } from '../../../../src/platform/delivery/receivers.js';

const at = (url: string, sender = 'acme') => ({ sender, url });

/** Acquires as many slots as are free, up to `count`. */
async function fill(receivers: Receivers, count: number, url: string, sender = 'acme') {
  const taken = await Promise.all(Array.from({ length: count }, () => receivers.acquire(at(url, sender))));
  return taken.filter((slot) => slot !== null);
}

const host = 'https://hooks.example.com';

describe('Receivers', () => {
  it('has four slots for a receiver, and others for another path or organization', async () => {
    const receivers = new Receivers();
    expect(await fill(receivers, 5, `${host}/a?key=1`)).toHaveLength(4);
    const [receiver] = receiverFlags(at(`${host}/a?key=1`));
    expect(receivers.full()).toEqual([receiver]);
    expect(await fill(receivers, 1, `${host}/a?key=2`)).toHaveLength(1);
    expect(await fill(receivers, 1, `${host}/b`)).toHaveLength(1);
    expect(await fill(receivers, 5, `${host}/a?key=1`, 'globex')).toHaveLength(4);
  });

  it('has 16 slots for a host, half of them for one organization', async () => {
    const receivers = new Receivers();
    const takenBy = async (sender: string): Promise<number> => {
      let taken = 0;
      for (let n = 0; n < 5; n++) taken += (await fill(receivers, 4, `${host}/${n}`, sender)).length;
      return taken;
    };
    expect(await takenBy('acme')).toBe(8);
    expect(await takenBy('globex')).toBe(8);
    expect(await takenBy('initech')).toBe(0);
    expect(await fill(receivers, 1, 'https://hooks.example.com:8443/', 'initech')).toHaveLength(1);
  });

  it('has 24 slots for an organization, however many receivers it has', async () => {
    const receivers = new Receivers();
    for (let n = 0; n < 6; n++) await fill(receivers, 4, `https://${n}.example.com/`);
    expect(await fill(receivers, 1, 'https://7.example.com/')).toHaveLength(0);
    expect(await fill(receivers, 1, 'https://7.example.com/', 'globex')).toHaveLength(1);
  });

  it('gives a released slot to a waiting delivery', async () => {
    const receivers = new Receivers();
    const [slot] = await fill(receivers, 4, `${host}/`);
    const waiting = receivers.acquire(at(`${host}/`));
    slot?.release(10);
    expect(await waiting).not.toBeNull();
  });

  it('has one slot for a receiver that was slow, until it is fast again', async () => {
    const receivers = new Receivers();
    const [slot] = await fill(receivers, 1, `${host}/slow`);
    slot?.release(15_000);
    const [again] = await fill(receivers, 1, `${host}/slow`);
    expect(await fill(receivers, 1, `${host}/slow`)).toHaveLength(0);
    expect(await fill(receivers, 1, `${host}/slow`, 'globex')).toHaveLength(1);
    expect(await fill(receivers, 4, `${host}/quick`)).toHaveLength(4);
    again?.release(20);
    expect(await fill(receivers, 3, `${host}/slow`)).toHaveLength(3);
  });

  it('forgets receivers that nothing is sent to', async () => {
    const receivers = new Receivers();
    const taken = await fill(receivers, 4, `${host}/`);
    for (const slot of taken) slot.release(10);
    expect(receivers.full()).toEqual([]);
    expect(Object.values(receivers).find((value) => value instanceof Map)?.size).toBe(0);
  });
});

describe('receiverFlags', () => {
  it('treats a host with a final dot as the same', () => {
    const hostFlags = (url: string) => receiverFlags(at(url)).slice(2);
    expect(hostFlags('https://hooks.example.com./a')).toEqual(hostFlags('https://hooks.example.com/a'));
    expect(hostFlags('https://hooks.example.com.:8443/a')).toEqual(hostFlags('https://hooks.example.com:8443/a'));
  });

  it('reveals nothing of a URL but its host', () => {
    const flags = receiverFlags(at('https://me:pass@hooks.example.com/secret-path?token=hidden#there'));
    expect(flags.join(' ')).not.toMatch(/secret-path|hidden|pass|there/);
  });
});

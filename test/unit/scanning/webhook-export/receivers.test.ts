import { describe, expect, it } from '@jest/globals';
import { receiverMarks, Receivers } from '../../../../src/scanning/webhook-export/receivers.js';

const at = (url: string, organizationId = 'acme') => ({ organizationId, url });

/** Takes as many places as are asked for; answers those that there were. */
async function fill(receivers: Receivers, count: number, url: string, organizationId = 'acme') {
  const taken = await Promise.all(Array.from({ length: count }, () => receivers.take(at(url, organizationId))));
  return taken.filter((place) => place !== null);
}

const host = 'https://hooks.example.com';

describe('Receivers', () => {
  it('has four places for a receiver, and others for another path and another organization', async () => {
    const receivers = new Receivers();
    expect(await fill(receivers, 5, `${host}/a?key=1`)).toHaveLength(4);
    const [receiver] = receiverMarks(at(`${host}/a?key=1`));
    expect(receivers.full()).toEqual([receiver]);
    expect(await fill(receivers, 1, `${host}/a?key=2`)).toHaveLength(1);
    expect(await fill(receivers, 1, `${host}/b`)).toHaveLength(1);
    expect(await fill(receivers, 5, `${host}/a?key=1`, 'globex')).toHaveLength(4);
  });

  it('has 16 places for a host, of which one organization gets half', async () => {
    const receivers = new Receivers();
    const takenBy = async (organization: string): Promise<number> => {
      let taken = 0;
      for (let n = 0; n < 5; n++) taken += (await fill(receivers, 4, `${host}/${n}`, organization)).length;
      return taken;
    };
    expect(await takenBy('acme')).toBe(8);
    expect(await takenBy('globex')).toBe(8);
    expect(await takenBy('initech')).toBe(0);
    expect(await fill(receivers, 1, 'https://hooks.example.com:8443/', 'initech')).toHaveLength(1);
  });

  it('has 24 places for an organization, however many receivers it has', async () => {
    const receivers = new Receivers();
    for (let n = 0; n < 6; n++) await fill(receivers, 4, `https://${n}.example.com/`);
    expect(await fill(receivers, 1, 'https://7.example.com/')).toHaveLength(0);
    expect(await fill(receivers, 1, 'https://7.example.com/', 'globex')).toHaveLength(1);
  });

  it('gives a place that gets free to whoever waits', async () => {
    const receivers = new Receivers();
    const [place] = await fill(receivers, 4, `${host}/`);
    const waiting = receivers.take(at(`${host}/`));
    place?.leave(10);
    expect(await waiting).not.toBeNull();
  });

  it('has one place for a receiver that was slow, until it is quick again', async () => {
    const receivers = new Receivers();
    const [place] = await fill(receivers, 1, `${host}/slow`);
    place?.leave(15_000);
    const [again] = await fill(receivers, 1, `${host}/slow`);
    expect(await fill(receivers, 1, `${host}/slow`)).toHaveLength(0);
    expect(await fill(receivers, 1, `${host}/slow`, 'globex')).toHaveLength(1);
    expect(await fill(receivers, 4, `${host}/quick`)).toHaveLength(4);
    again?.leave(20);
    expect(await fill(receivers, 3, `${host}/slow`)).toHaveLength(3);
  });

  it('forgets receivers that nobody sends to', async () => {
    const receivers = new Receivers();
    const taken = await fill(receivers, 4, `${host}/`);
    for (const place of taken) place.leave(10);
    expect(receivers.full()).toEqual([]);
    expect(Object.values(receivers).find((value) => value instanceof Map)?.size).toBe(0);
  });
});

describe('receiverMarks', () => {
  it('counts a host with a final dot as the same', () => {
    const hostMarks = (url: string) => receiverMarks(at(url)).slice(2);
    expect(hostMarks('https://hooks.example.com./a')).toEqual(hostMarks('https://hooks.example.com/a'));
    expect(hostMarks('https://hooks.example.com.:8443/a')).toEqual(hostMarks('https://hooks.example.com:8443/a'));
  });

  it('tells nothing of an address but its host', () => {
    const marks = receiverMarks(at('https://me:pass@hooks.example.com/secret-path?token=hidden#there'));
    expect(marks.join(' ')).not.toMatch(/secret-path|hidden|pass|there/);
  });
});

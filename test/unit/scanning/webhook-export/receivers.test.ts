import { describe, expect, it } from '@jest/globals';
import { receiverMarks, Receivers } from '../../../../src/scanning/webhook-export/receivers.js';

const at = (url: string, organizationId = 'acme') => ({ organizationId, url });

async function fill(receivers: Receivers, count: number, url: string) {
  return Promise.all(Array.from({ length: count }, () => receivers.take(at(url))));
}

describe('Receivers', () => {
  it('has four places for a receiver, and room for others beside it', async () => {
    const receivers = new Receivers();
    await fill(receivers, 4, 'https://slow.example.com/a');
    expect(await receivers.take(at('https://slow.example.com/b'))).toBeNull();
    expect(await receivers.take(at('https://slow.example.com:8443/'))).not.toBeNull();
    expect(receivers.full()).toEqual(['host:slow.example.com']);
  });

  it('gives a place that gets free to whoever waits', async () => {
    const receivers = new Receivers();
    const [place] = await fill(receivers, 4, 'https://a.example.com/');
    const waiting = receivers.take(at('https://a.example.com/'));
    place?.leave(10);
    expect(await waiting).not.toBeNull();
  });

  it('has one place for a receiver that was slow, until it is quick again', async () => {
    const receivers = new Receivers();
    const [place] = await fill(receivers, 1, 'https://a.example.com/');
    place?.leave(15_000);
    const again = await receivers.take(at('https://a.example.com/'));
    expect(await receivers.take(at('https://a.example.com/'))).toBeNull();
    again?.leave(20);
    expect((await fill(receivers, 4, 'https://a.example.com/')).every(Boolean)).toBe(true);
  });

  it('has 24 places for an organization, however many receivers it has', async () => {
    const receivers = new Receivers();
    for (let n = 0; n < 6; n++) await fill(receivers, 4, `https://${n}.example.com/`);
    expect(await receivers.take(at('https://7.example.com/'))).toBeNull();
    expect(await receivers.take(at('https://7.example.com/', 'globex'))).not.toBeNull();
    expect(receivers.full()).toContain('organization:acme');
  });
});

describe('receiverMarks', () => {
  it('names host with port, and organization', () => {
    expect(receiverMarks(at('https://Example.COM:8443/x?y=z'))).toEqual(['host:example.com:8443', 'organization:acme']);
  });
});

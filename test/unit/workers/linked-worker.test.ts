import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Channel, type ChannelEnd, type Commission } from '../../../src/common/workers/channel.js';
import { NodeRates } from '../../../src/common/workers/node-rates.js';
import { LoneProcess } from '../../../src/common/workers/worker-link.js';
import { LinkedWorker } from '../../../src/workers/linked-worker.js';

/** One end of a channel in memory. */
class End extends EventEmitter implements ChannelEnd {
  other!: End;

  send(message: unknown, done: (error: Error | null) => void): boolean {
    setImmediate(() => this.other.emit('message', structuredClone(message)));
    done(null);
    return true;
  }
}

const commission: Commission = {
  nodeId: 'node',
  workers: 2,
  database: { url: '', directUrl: '', preparedStatements: true },
  data: '',
  isLead: false,
  isFirst: false,
  port: undefined,
  startedAt: 0,
};

/** A worker, with its end and the primary process's end of the channel between them. */
function linked(): { worker: LinkedWorker; end: End; primary: Channel } {
  const [end, far] = [new End(), new End()];
  [end.other, far.other] = [far, end];
  return { worker: new LinkedWorker(new Channel(end), commission), end, primary: new Channel(far) };
}

describe('A worker that changed something', () => {
  it('waits until the others have forgotten it', async () => {
    const { worker, primary } = linked();
    const order: string[] = [];
    primary.handle('changed', async (cacheTags) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`forgotten ${cacheTags.join()}`);
      return null;
    });
    await worker.publish(['product:1', 'assortment']);
    expect([...order, 'answered']).toEqual(['forgotten product:1,assortment', 'answered']);
  });

  it("goes on once the others' copies have expired, if they stay silent", async () => {
    const { worker, primary } = linked();
    primary.handle('changed', () => new Promise(() => undefined));
    await expect(worker.publish(['product:1'])).resolves.toBeUndefined();
  });

  it('goes on if the primary process is gone', async () => {
    const { worker, end, primary } = linked();
    primary.handle('changed', () => new Promise(() => undefined));
    const told = worker.publish(['product:1']);
    end.emit('disconnect');
    await expect(told).resolves.toBeUndefined();
  });
});

describe('A worker that is told of a change', () => {
  it('has forgotten by the time it says so', async () => {
    const { worker, primary } = linked();
    const forgotten: string[] = [];
    worker.onPublished((cacheTags) => forgotten.push(...cacheTags));
    await primary.ask('forget', ['product:1']);
    expect(forgotten).toEqual(['product:1']);
  });
});

describe('A limit of the node', () => {
  const rate = { name: 'few', points: 2, seconds: 60 };

  it('applies to all its workers together', async () => {
    const rates = new NodeRates();
    const [first, second] = [linked(), linked()];
    for (const { primary } of [first, second]) primary.handle('count', ({ rate: one, key }) => rates.count(one, key));
    expect(await first.worker.count(rate, 'one')).toBe(0);
    expect(await second.worker.count(rate, 'one')).toBe(0);
    expect(await first.worker.count(rate, 'one')).toBeGreaterThan(0);
    expect(await second.worker.count(rate, 'another')).toBe(0);
  });

  it('applies within the worker if the primary process fails', async () => {
    const { worker, primary } = linked();
    primary.handle('count', () => Promise.reject(new Error('broken')));
    expect(await worker.count(rate, 'one')).toBe(0);
    expect(await worker.count(rate, 'one')).toBe(0);
    expect(await worker.count(rate, 'one')).toBeGreaterThan(0);
  });
});

describe('Bounded counts of a node of one process', () => {
  it('are taken all or none, and given back', async () => {
    const node = new LoneProcess();
    const counts = [
      { name: 'own', most: 2 },
      { name: 'all', most: 1 },
    ];
    const place = await node.occupy(counts);
    expect(await node.occupy(counts)).toEqual({ full: 1 });
    expect(await node.occupy([{ name: 'own', most: 2 }])).toHaveProperty('leave');
    if ('leave' in place) place.leave();
    expect(await node.occupy([{ name: 'own', most: 1 }])).toEqual({ full: 0 });
    expect(await node.occupy([{ name: 'all', most: 1 }])).toHaveProperty('leave');
  });
});

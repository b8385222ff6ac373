import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AppendedFindings } from '../../../../src/scanning/issues/issue-appends.service.js';
import { BatchQueue } from '../../../../src/scanning/reports/batch-queue.js';
import type { PreparedBatch } from '../../../../src/scanning/reports/prepared-batch.js';

interface Write {
  name: string;
  succeed(): void;
  fail(error: Error): void;
}

/** A queue whose writes end when the test says so. */
function queueOfTest() {
  const sent: Write[] = [];
  const send = (name: string) =>
    new Promise<void>((resolve, reject) => {
      sent.push({ name, succeed: resolve, fail: reject });
    });
  const nameOf = (batch: PreparedBatch) => (batch as unknown as { name: string }).name;
  const queue = new BatchQueue({
    issues: (batch) => send(`issues ${nameOf(batch)}`).then(() => ({}) as AppendedFindings),
    events: (batch) => send(`events ${nameOf(batch)}`),
  });
  const add = (name: string) => queue.add({ name } as unknown as PreparedBatch);
  const names = () => sent.map(({ name }) => name);
  const next = async (end: (write: Write) => void) => {
    const write = sent.shift();
    if (write) end(write);
    await turn();
  };
  return { queue, add, names, next };
}

const succeed = (write: Write) => write.succeed();
const isDone = (promise: Promise<unknown>) => Promise.race([promise.then(() => true), turn().then(() => false)]);

describe('The queue of batches', () => {
  it('sends the issues of the next batch before the events of the one before it', async () => {
    const { queue, add, names, next } = queueOfTest();
    add('a');
    add('b');
    await turn();
    expect(names()).toEqual(['issues a']);
    await next(succeed);
    expect(names()).toEqual(['issues b', 'events a']);
    add('c');
    await next(succeed);
    expect(names()).toEqual(['events a', 'issues c', 'events b']);
    const end = queue.end();
    await next(succeed);
    await next(succeed);
    expect(await isDone(end)).toBe(false);
    await next(succeed);
    await next(succeed);
    expect(await isDone(end)).toBe(true);
  });

  it('has room while at most one batch waits', async () => {
    const { queue, add, next } = queueOfTest();
    expect(await isDone(queue.room())).toBe(true);
    add('a');
    expect(await isDone(queue.room())).toBe(true);
    add('b');
    const room = queue.room();
    expect(await isDone(room)).toBe(false);
    await next(succeed);
    expect(await isDone(room)).toBe(true);
  });

  it('ends with the first failure, once nothing is under way', async () => {
    const { queue, add, names, next } = queueOfTest();
    add('a');
    add('b');
    await turn();
    await next(succeed);
    expect(names()).toEqual(['issues b', 'events a']);
    const end = queue.end().catch((error: unknown) => error);
    await next((write) => write.fail(new Error('the cause')));
    expect(await isDone(end)).toBe(false);
    await next((write) => write.fail(new Error('what followed')));
    expect(await end).toEqual(new Error('the cause'));
    await expect(queue.room()).rejects.toThrow('the cause');
    add('c');
    await expect(queue.end()).rejects.toThrow('the cause');
    expect(names()).toEqual([]);
  });
});

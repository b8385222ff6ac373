import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../src/platform/jobs/job-runner.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** No task needs longer: its job would keep a worker from others. */
const longestSeconds = { ordinary: 600, outbound: 120, mail: 120, upkeep: 3_600 };

let app: TestApp;
let registered: JobRunner['registered'];
beforeAll(async () => {
  app = await startTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' } });
  ({ registered } = app.nest.get(JobRunner));
});
afterAll(() => app.close());

describe('Every task', () => {
  it('is known here', () => {
    const names = registered.tasks.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(14);
    for (const name of ['mail', 'workflow-trigger', 'webhook-delivery', 'event-retention'])
      expect(names).toContain(name);
  });

  it('has a deadline that ends its jobs', () => {
    const wrong = registered.tasks.filter(
      ({ queue, deadlineSeconds }) => !(deadlineSeconds > 0 && deadlineSeconds <= longestSeconds[queue]),
    );
    expect(wrong).toEqual([]);
  });

  it('runs among the upkeep if it recurs, and only then', () => {
    const upkeep = registered.tasks.filter(({ queue }) => queue === 'upkeep').map(({ name }) => name);
    expect(upkeep.sort()).toEqual(registered.recurring.map(({ name }) => name).sort());
  });

  it('that recurs ends before its next time', () => {
    expect(registered.recurring.filter(({ deadlineSeconds, everySeconds }) => deadlineSeconds >= everySeconds)).toEqual(
      [],
    );
  });
});

describe('A recurring task that goes on in a loop', () => {
  it('heeds the signal of its deadline', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const texts = files.map((file) => readFileSync(`src/${file}`, 'utf8'));
    const recurring = texts.filter((text) => text.includes('.registerRecurring({'));
    expect(recurring.length).toBeGreaterThanOrEqual(7);
    const deaf = recurring.filter(
      (text) => /\b(while|for) \([^;]*await|\bfor \(let/.test(text) && !text.includes('signal'),
    );
    expect(deaf).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunChoices, runClient } from '../support/client-run.js';
import { eventOf, page, startStubService, type StubService } from '../support/stub-service.js';

const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

let service: StubService;
beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.close());

const run = (args: string[], choices: RunChoices = {}) =>
  runClient(args, { url: service.url, key: 'ssk_x', ...choices });

describe('--json', () => {
  it('prints the named fields of each entry of a list', async () => {
    service.sends(page([eventOf(1), eventOf(2)]));
    const { code, stdout } = await run(['events', 'list', '--json', 'level,title']);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [
        { level: 'INFO', title: 'Event 1' },
        { level: 'INFO', title: 'Event 2' },
      ],
    ]);
  });

  it('prints the named fields of one thing, and of each line with -o jsonl', async () => {
    service.sends({ json: { ...eventOf(1), id } });
    expect(JSON.parse((await run(['events', 'get', id, '--json', 'id, title'])).stdout)).toEqual({
      id,
      title: 'Event 1',
    });
    service.sends(page([eventOf(1), eventOf(2)]));
    const { stdout } = await run(['events', 'list', '--json', 'title', '-o', 'jsonl']);
    expect(stdout).toBe('{"title":"Event 1"}\n{"title":"Event 2"}\n');
  });

  it('refuses a field that is not there, and names those that are', async () => {
    service.sends(page([eventOf(1)]));
    const { code, stdout, stderr } = await run(['events', 'list', '--json', 'titel']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/There is no field titel; there are: id, createdAt, level, stage, title/);
  });

  it.each([
    [['--json', 'id', '-o', 'csv'], 'leave out -o csv'],
    [['--jq', '.', '-o', 'table'], 'leave out -o table'],
    [['--json', 'id;'], 'Give the names of fields'],
  ])('is refused with %j', async (args, sentence) => {
    const { code, stderr } = await run(['events', 'list', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('--jq', () => {
  it('prints what jq makes of all pages, texts without quotes', async () => {
    service.sends(page([eventOf(1)], 'next'), page([eventOf(2)]));
    const { code, stdout } = await run(['events', 'list', '--jq', 'length, .[].title, map(.level)']);
    expect([code, stdout]).toEqual([0, '2\nEvent 1\nEvent 2\n["INFO","INFO"]\n']);
  });

  it('reads the fields of --json, and prints nothing for an empty result', async () => {
    service.sends(page([eventOf(1)]));
    expect((await run(['events', 'list', '--json', 'title', '--jq', '.[0] | keys[]'])).stdout).toBe('title\n');
    expect((await run(['events', 'list', '--jq', 'empty'])).stdout).toBe('');
  });

  it('cannot make the terminal do anything', async () => {
    service.sends(page([eventOf(1, { title: '\u001b[2Jgone' })]));
    expect((await run(['events', 'list', '--jq', '.[].title'], { columns: 80 })).stdout).toBe('\\u001b[2Jgone\n');
  });

  it.each([
    ['.[', 2, 'syntax error'],
    ['.[0].title.a', 1, 'Cannot index string with string'],
  ])('ends %j with %i and the sentence of jq', async (expression, exitCode, sentence) => {
    service.sends(page([eventOf(1)]));
    const { code, stderr } = await run(['events', 'list', '--jq', expression]);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});

import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { eventColumns } from '../../src/commands/event-columns.js';
import type { ScanEventSummary } from '@store-service/sdk';
import { displayWidth } from '../../src/output/display-width.js';
import { Output } from '../../src/output/output.js';
import { Table } from '../../src/output/table.js';
import { eventOf } from '../../../../test/support/stub-service.js';

class FakeStream extends EventEmitter {
  written = '';
  constructor(
    readonly isTTY: boolean,
    readonly columns?: number,
  ) {
    super();
  }
  write(text: string): boolean {
    this.written += text;
    return true;
  }
}

const event = (fields: Record<string, unknown>) => eventOf(1, fields) as unknown as ScanEventSummary;

async function printed(stream: FakeStream, events: ScanEventSummary[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  await new Table(new Output(stream, env), eventColumns).print(events);
  return stream.written;
}

const long = event({ level: 'WARNING', stage: 'AGENT_REASONING', title: 'A title that goes on and on '.repeat(9) });
const wide = event({ title: '日本語のタイトル😀'.repeat(20) });

describe('a table of events', () => {
  it.each([80, 100, 120, 200])('fits a terminal of %d columns, with all columns', async (columns) => {
    const lines = (await printed(new FakeStream(true, columns), [long, wide], { NO_COLOR: '1' })).trimEnd().split('\n');
    expect(lines.map(displayWidth).every((width) => width <= columns)).toBe(true);
    expect(lines.slice(1).every((line) => line.endsWith('…'))).toBe(true);
    expect(lines[0]).toMatch(/^ID +CREATED AT +LEVEL +STAGE +TITLE$/);
  });

  it.each([1, 20, 36, 60, 79, 80, 100, 120])('keeps the ids whole at %d columns', async (columns) => {
    const text = await printed(new FakeStream(true, columns), [long, wide], { NO_COLOR: '1' });
    expect(text.split('\n').filter((line) => line.trimStart().startsWith(long.id))).toHaveLength(2);
  });

  it('shortens times rather than cutting them', async () => {
    const text = await printed(new FakeStream(true, 80), [long], { NO_COLOR: '1' });
    expect(text).toContain(`${long.id}  01-01 00:00  WARNING  AGENT_RE…  A title …\n`);
  });

  it('shortens ids by --short as far as they stay apart, and gives the width to titles', async () => {
    const stream = new FakeStream(true, 80);
    const table = new Table(new Output(stream, { NO_COLOR: '1' }, undefined, true), eventColumns);
    await table.print([long]);
    expect(stream.written).toContain(`\n${long.id.slice(0, 8)}  01-01`);
    expect(stream.written).toContain('A title that goes on');
    await table.print([long, { ...long, id: `${long.id.slice(0, 18)}-aaaa-000000000000` }]);
    const ids = stream.written.split('\n').map((line) => line.split(' ')[0]);
    expect(ids).toEqual(['ID', long.id.slice(0, 8), long.id.slice(0, 23), `${long.id.slice(0, 18)}-aaaa`, '']);
  });

  it('prints a block for each row when a line is too narrow', async () => {
    const text = await printed(new FakeStream(true, 20), [event({ title: 'One' }), event({ title: 'Two' })], {
      NO_COLOR: '1',
    });
    const block = (title: string) =>
      `ID\n  ${long.id}\nCREATED AT\n  2026-01-01T00:00:00.001Z\nLEVEL\n  INFO\nSTAGE\n  EXECUTION\nTITLE\n  ${title}\n\n`;
    expect(text).toBe(block('One') + block('Two'));
  });

  it('cuts nothing in a pipe', async () => {
    expect(await printed(new FakeStream(false, 40), [long])).toContain(long.title.trimEnd());
  });

  it('aligns the rows of a page in a pipe, however long their values, and makes later pages no narrower', async () => {
    const stream = new FakeStream(false);
    const columns = eventColumns.toReversed();
    const table = new Table(new Output(stream, {}), columns);
    await table.print([event({ title: 'One' }), wide]);
    await table.print([event({ title: 'Three' })]);
    const lines = stream.written.trimEnd().split('\n');
    const behind = lines.map((line) => displayWidth(line.slice(0, line.search(/STAGE|EXECUTION/))));
    expect(new Set(behind)).toEqual(new Set([displayWidth(wide.title) + 2]));
  });

  it('cuts nothing on a terminal of unknown width', async () => {
    expect(await printed(new FakeStream(true, 0), [long])).toContain(long.title.trimEnd());
  });

  it('prints the head once', async () => {
    const stream = new FakeStream(false);
    const table = new Table(new Output(stream, {}), eventColumns);
    await table.print([]);
    await table.print([long]);
    await table.print([long]);
    expect(stream.written.match(/CREATED AT/g)).toHaveLength(1);
    expect(stream.written.trimEnd().split('\n')).toHaveLength(3);
  });

  it('colors levels on a terminal', async () => {
    const text = await printed(new FakeStream(true, 120), [event({ level: 'ERROR' }), event({ level: 'WARNING' })]);
    expect(text).toContain('\u001b[31mERROR\u001b[39m');
    expect(text).toContain('\u001b[33mWARNING\u001b[39m');
  });

  it.each([
    ['NO_COLOR', true, { NO_COLOR: '1' }],
    ['a dumb terminal', true, { TERM: 'dumb' }],
    ['a pipe', false, {}],
  ])('has no colors with %s', async (_what, isTerminal, env) => {
    expect(await printed(new FakeStream(isTerminal, 120), [event({ level: 'ERROR' })], env)).not.toContain('\u001b');
  });

  it('has colors when NO_COLOR is empty, as its standard says', async () => {
    const text = await printed(new FakeStream(true, 120), [event({ level: 'ERROR' })], { NO_COLOR: '' });
    expect(text).toContain('\u001b[31m');
  });
});

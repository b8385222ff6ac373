import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { EmlFolder } from '../../../../src/platform/mail/eml-folder.js';
import type { Message } from '../../../../src/platform/mail/mail.js';
import { readMail } from '../../../support/received-mail.js';

let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'store-eml-'));
  folder = join(parent, 'mail');
});
afterAll(() => rm(parent, { recursive: true, force: true }));

async function deliver(changes: Partial<Message> = {}): Promise<string> {
  const message: Message = {
    id: 'one',
    kind: 'test',
    date: new Date('2026-11-22T10:00:00Z'),
    from: { name: 'Shop', address: 'shop@harbour.example' },
    to: { address: 'ada@example.com', name: 'Ada' },
    subject: 'About the test',
    text: 'Hello\n',
    html: '<p>Hello</p>',
    links: [],
    ...changes,
  };
  await new EmlFolder(folder, pino({ level: 'silent' })).deliver(message);
  return join(folder, (await readdir(folder)).sort().at(-1) ?? '');
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('A mail in the folder', () => {
  it("is readable only by the service's user", async () => {
    const file = await deliver();
    expect(await modeOf(file)).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
  });

  it('replaces an earlier attempt', async () => {
    const before = (await readdir(folder)).length;
    await deliver();
    expect(await readdir(folder)).toHaveLength(before);
  });

  it('has no header, recipient or file name injected by its texts', async () => {
    const added = '\r\nBcc: eve@example.com\r\n\r\nAnother body';
    const file = await deliver({
      id: '../../two',
      date: new Date('2026-11-22T11:00:00Z'),
      subject: `About${added}`,
      from: { name: 'Shop', address: 'shop@harbour.example' },
      to: { address: 'ada@example.com', name: `Ada${added}" <eve@example.com>,` },
    });
    const { headers, text } = readMail(await readFile(file));
    expect(headers.map(([name]) => name)).not.toContain('bcc');
    expect(headers.filter(([name]) => name === 'to')).toHaveLength(1);
    expect(headers.find(([name]) => name === 'to')?.[1]).toMatch(/<ada@example\.com>$/);
    expect(text).toBe('Hello\n');
    expect(await readdir(parent)).toEqual(['mail']);
  });

  it('is one of the newest 200, and other files stay', async () => {
    const earlier = Array.from({ length: 203 }, (_, n) => `20200101T000000-000Z-old-${String(n).padStart(3, '0')}.eml`);
    await Promise.all([...earlier, 'notes.txt'].map((name) => writeFile(join(folder, name), '')));
    await deliver({ date: new Date('2026-11-22T12:00:00Z') });
    const names = await readdir(folder);
    expect(names).toHaveLength(201);
    expect(names).toContain('notes.txt');
    expect(names).not.toContain(earlier[0]);
    expect(names).toContain(earlier.at(-1));
    expect(names.filter((name) => name.startsWith('2026'))).toHaveLength(3);
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  commonPlaceholders,
  type MailKind,
  mailKinds,
  placeholdersOf,
} from '../../../../src/platform/mail/mail-kinds.js';
import { readMailTemplates } from '../../../../src/platform/mail/mail-templates.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-mails-'));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (file: string, content: string | Buffer) => writeFile(join(folder, file), content);
const common = { shop: 'Harbour', name: 'Ada' };
const link = { label: 'Confirm', url: 'https://shop.example/?a=1&b=2' };

async function faultsOf(file: string, content: string | Buffer): Promise<string> {
  await put(file, content);
  return readMailTemplates(folder).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe('A template of a mail', () => {
  it('makes paragraphs, buttons and rows of its text', async () => {
    await put(
      'welcome.txt',
      'Subject: Hi {{ name }}!\r\n\r\nWelcome\r\nto {{shop}}.\r\n\r\n{{link}}\r\n\r\nOr go to {{link}}.\r\n',
    );
    const worded = (await readMailTemplates(folder)).word({ kind: 'welcome', values: { link } }, common);
    expect(worded).toEqual({
      subject: 'Hi Ada!',
      blocks: [{ text: 'Welcome\nto Harbour.' }, { button: link }, { text: `Or go to ${link.url}.` }],
    });
  });

  it('leaves out rows without any, such as those of an address that is not known', async () => {
    await put('order-shipped.txt', 'Subject: {{order}}\n\n{{lines}}\n\n{{delivery}}\n');
    const lines: [string, string][] = [['1 × Vase', '3.00']];
    const values = { order: '7', page: null, lines, delivery: [], tracking: [] };
    const worded = (await readMailTemplates(folder)).word({ kind: 'order-shipped', values }, common);
    expect(worded?.blocks).toEqual([{ rows: lines }]);
  });

  it('has a button for the page of an order, and nothing in its place where there is no shop front', async () => {
    await put('order-paid.txt', 'Subject: {{order}}\n\nPaid.\n\n{{page}}\n\nAt {{page}}.');
    const templates = await readMailTemplates(folder);
    const blocksWith = (page: typeof link | null) =>
      templates.word({ kind: 'order-paid', values: { order: '7', page, paid: '3.00' } }, common)?.blocks;
    expect(blocksWith(link)).toEqual([{ text: 'Paid.' }, { button: link }, { text: `At ${link.url}.` }]);
    expect(blocksWith(null)).toEqual([{ text: 'Paid.' }, { text: 'At .' }]);
  });

  it('escapes values in its page, and nothing of a value is a placeholder again', async () => {
    await put('welcome.txt', 'Subject: Hi\n\n{{link}}');
    await put('welcome.html', '<p title="{{name}}">{{name}}</p><a href="{{link}}">go</a>');
    const templates = await readMailTemplates(folder);
    const name = `<b>"{{shop}}"</b>`;
    const html = templates.word({ kind: 'welcome', values: { link } }, { ...common, name })?.html;
    const escaped = '&lt;b&gt;&quot;{{shop}}&quot;&lt;/b&gt;';
    const url = 'https://shop.example/?a=1&amp;b=2';
    expect(html).toBe(`<p title="${escaped}">${escaped}</p><a href="${url}">go</a>`);
  });

  it('is not there for other mails, nor for one that was queued without values', async () => {
    await put('welcome.txt', 'Subject: Hi\n\n{{link}}');
    await put('.DS_Store', '');
    const templates = await readMailTemplates(folder);
    expect(templates.word({ kind: 'signed-out', values: {} }, common)).toBeNull();
    expect(templates.word({ kind: 'welcome' } as never, common)).toBeNull();
    expect((await readMailTemplates(undefined)).word({ kind: 'welcome', values: { link } }, common)).toBeNull();
  });
});

describe('A faulty template', () => {
  it.each([
    ['welcom.txt', 'Subject: Hi\n\nHi', /welcom\.txt is the name of no mail: there are welcome, confirm-address/],
    ['welcome.md', '', /welcome\.md is the name of no mail/],
    ['constructor.txt', 'Subject: Hi\n\nHi', /constructor\.txt is the name of no mail/],
    ['welcome.html', '{{link}}', /welcome\.html has no welcome\.txt beside it/],
    ['welcome.txt', 'Hi\n\n{{link}}', /welcome\.txt begins without its subject/],
    ['welcome.txt', 'Subject: Hi\n\n', /welcome\.txt has no text below/],
    ['welcome.txt', 'Subject: Hi\n\nHi', /welcome\.txt lacks \{\{link\}\}/],
    [
      'welcome.txt',
      'Subject: Hi\n\n{{link}} {{nmae}}',
      /has no placeholder \{\{nmae\}\}: there are \{\{shop\}\}, \{\{name\}\}, \{\{link\}\}/,
    ],
    ['welcome.txt', 'Subject: Hi\n\n{{link}} {{constructor}}', /has no placeholder \{\{constructor\}\}/],
    ['welcome.txt', 'Subject: Hi\n\n{{link}} {{name', /has braces that are no placeholder/],
    ['welcome.txt', 'Subject: {{link}}\n\n{{link}}', /more than words in its subject/],
    ['welcome.txt', `Subject: ${'x'.repeat(151)}\n\n{{link}}`, /subject of more than 150/],
    ['welcome.txt', `Subject: Hi\n\n{{link}} ${'x'.repeat(2_000)}`, /paragraph of more than 2000/],
    ['welcome.txt', `Subject: Hi\n\n{{link}}${'\n\nx'.repeat(10_000)}`, /welcome\.txt has more than 20000 characters/],
    ['welcome.txt', Buffer.from([0x53, 0xff, 0xfe]), /welcome\.txt cannot be read as text in UTF-8/],
    ['order-shipped.txt', 'Subject: Hi\n\nYours: {{lines}}', /has \{\{lines\}\} within a paragraph/],
  ])('%s is a start error that says what is wrong: %j', async (file, content, sentence) => {
    const faults = await faultsOf(file, content);
    expect(faults).toMatch(/^StartError: MAIL_TEMPLATES: /);
    expect(faults).toMatch(sentence);
  });

  it.each([
    '<a href={{link}}>go</a>',
    "<a href='{{link}}'>go</a>",
    '<script>const link = "{{link}}";</script>',
    '<style>a { content: "{{link}}" }</style>',
    '<p>{{link}}</p><img alt={{name}}>',
  ])('may not put a value where it could become code: %s', async (html) => {
    await put('welcome.txt', 'Subject: Hi\n\n{{link}}');
    expect(await faultsOf('welcome.html', html)).toMatch(/where it could become code/);
  });

  it('is named with all others at once, and so is a folder that is not there', async () => {
    await put('one.txt', '');
    expect((await faultsOf('two.txt', '')).split('\n')).toHaveLength(2);
    await expect(readMailTemplates(join(folder, 'gone'))).rejects.toThrow(
      /MAIL_TEMPLATES: the folder .*gone cannot be read/,
    );
  });
});

describe('docs/mails.md', () => {
  it('lists each kind of mail with its placeholders', async () => {
    const document = await readFile(new URL('../../../../docs/mails.md', import.meta.url), 'utf8');
    const listed = [...document.matchAll(/^\| `([\w-]+)` +\| (.+?) +\|$/gm)].map(([, kind = '', cell = '']) => [
      kind,
      Object.fromEntries(
        [...cell.matchAll(/`\{\{(\w+)\}\}`(?: \(([\w ]+)\))?/g)].map(([, name = '', form = 'text']) => [name, form]),
      ),
    ]);
    expect(Object.fromEntries(listed)).toEqual(mailKinds);
    expect(listed).toHaveLength(Object.keys(mailKinds).length);
    for (const name of Object.keys(commonPlaceholders)) expect(document).toContain(`\`{{${name}}}\``);
    expect(Object.keys(placeholdersOf('signed-out' satisfies MailKind))).toEqual(['shop', 'name']);
  });
});

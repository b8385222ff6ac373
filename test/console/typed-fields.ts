import { readdirSync, readFileSync } from 'node:fs';
import type { ElementHandle, Page } from 'playwright-core';
import { en } from '../../packages/console/src/texts/en.js';

/** What a field is for: what is typed into it, and what it must hold then. */
export type FieldKind =
  'text' | 'secret' | 'email' | 'url' | 'money' | 'fraction' | 'count' | 'days' | 'date' | 'time' | 'hour';

/** Everything that people type into in the console, by its name. A new field needs an entry. */
export const fields: Record<string, FieldKind> = {
  'About you': 'text',
  'Accepted until': 'date',
  'Add a comment': 'text',
  'Address of a picture': 'url',
  Address: 'text',
  Amount: 'money',
  Answer: 'text',
  'Article number': 'text',
  Asset: 'text',
  Body: 'text',
  'Branch (* for all)': 'text',
  Branch: 'text',
  'CVE, CWE or GHSA': 'text',
  Carrier: 'text',
  'Code of method N': 'text',
  Code: 'text',
  Color: 'text',
  Comment: 'text',
  'Contact e-mail': 'email',
  'Cost of method N': 'money',
  'Cron expression': 'text',
  'Current password': 'secret',
  'Days of method N': 'days',
  'Days to fix of a severity': 'count',
  Description: 'text',
  'Discount in percent': 'fraction',
  'Due before': 'date',
  Due: 'date',
  'E-mail': 'email',
  Expires: 'date',
  'Find a product to be a variant of': 'text',
  'First name': 'text',
  'Free from of method N': 'money',
  'Gather for (seconds)': 'fraction',
  'How to pay': 'text',
  'Last name': 'text',
  'Link to follow it': 'url',
  Material: 'text',
  Method: 'text',
  'Name of a branch': 'text',
  'Name of header N': 'text',
  'Name of method N': 'text',
  'Name of parameter N': 'text',
  'Name of the asset': 'text',
  'Name of the view': 'text',
  Name: 'text',
  'New password': 'secret',
  Note: 'text',
  Password: 'secret',
  'Pieces of a product': 'count',
  'Price of a product': 'money',
  Price: 'money',
  Reason: 'text',
  Reference: 'text',
  'Request id': 'text',
  Rule: 'text',
  Search: 'text',
  Secret: 'text',
  Since: 'time',
  Size: 'text',
  'Stock of a product': 'count',
  Stock: 'count',
  Text: 'text',
  Ticket: 'url',
  'Time of day': 'hour',
  'Time zone': 'text',
  Tool: 'text',
  'Tracking number of an order': 'text',
  'Tracking number': 'text',
  Until: 'time',
  URL: 'url',
  'Username or e-mail': 'text',
  Username: 'text',
  'Uses at most': 'count',
  'Value of header N': 'text',
  'Value of parameter N': 'text',
  'Web address': 'text',
  'Words for picture N': 'text',
  'Why it is accepted': 'text',
};

/** The name of a field as the table has it. */
export const entryOf = (name: string): string =>
  name
    .trim()
    .replace(/ ((?:of|for) .+?) \d+$/, ' $1 N')
    .replace(/^(Price|Stock|Pieces) of .+/, '$1 of a product')
    .replace(/^(Days to fix): .+/, '$1 of a severity')
    .replace(/^(Tracking number) of .+/, '$1 of an order');

/** The English of `{texts.orders.note}` or `{texts.orders.noteOf(id)}` in a source, with 1 for what it names. */
function written(area: string, name: string): string {
  const text = (en as unknown as Record<string, Record<string, string | ((...of: number[]) => string)>>)[area]?.[name];
  return typeof text === 'function' ? text(1, 1, 1) : (text ?? '');
}
const labelled = (name: string) => new RegExp(`\\b${name}=(?:"([^"]*)"|\\{texts\\.(\\w+)\\.(\\w+))`, 'g');
const nameIn = ([, plain, area, name]: RegExpMatchArray) => plain ?? written(area ?? '', name ?? '');

const control =
  /<(input|textarea|NumberField|MoneyField|MomentField)\b((?:[^>"{]|"[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})*)>/g;
const otherParts = /^(parts\/(number-field|money-field|moment-field|edit-cell|search-filter)\.svelte)$/;
const isHidden = (attributes: string) => /\bhidden\b|class="sr-only"/.test(attributes);

/** The names of the fields in the sources of the console: its own, or that of the `Field` around it. */
export function namesInSources(): Record<string, string> {
  const names: Record<string, string> = {};
  const files = readdirSync('packages/console/src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.svelte'),
  );
  for (const file of files.filter((one) => !otherParts.test(one))) {
    const text = readFileSync(`packages/console/src/${file}`, 'utf8');
    for (const { index, 2: attributes = '' } of text.matchAll(control)) {
      if (/type="(checkbox|radio|file)"/.test(attributes) || isHidden(attributes)) continue;
      const [own] = [...attributes.matchAll(labelled('aria-label'))].map(nameIn);
      const [, opened = ''] = /[\s\S]*(<Field\b[\s\S]*)/.exec(text.slice(0, index)) ?? [];
      const [around] = [...opened.matchAll(labelled('label'))].map(nameIn);
      names[`${file}: ${own ?? around}`] = entryOf(own ?? around ?? '');
    }
  }
  return names;
}

export interface FoundField {
  name: string;
  type: string;
  /** The heading of the dialog that it is in, if it is in one. */
  dialog: string;
  /** Its number among all fields of the page. */
  at: number;
}

const editable =
  'input:not([type=checkbox], [type=radio], [type=file], [type=hidden]), textarea, [contenteditable=true]';

/** The fields that can be typed into: those of the topmost dialog, or of the page. */
export function fieldsOn(page: Page): Promise<FoundField[]> {
  return page.evaluate<FoundField[]>(`(() => {
    const open = [...document.querySelectorAll('dialog[open]')].at(-1);
    const top = open ?? document;
    const dialog = open?.querySelector('h1, h2')?.innerText ?? '';
    return [...document.querySelectorAll('${editable}')].flatMap((field, at) => {
      const isOff = !top.contains(field) || field.disabled || field.readOnly || !field.checkVisibility() || field.classList.contains('sr-only');
      const name = field.getAttribute('aria-label') ?? field.labels?.[0]?.innerText ?? '';
      return isOff ? [] : [{ at, name, dialog, type: field.type }];
    });
  })()`);
}

async function fieldAt(page: Page, at: number): Promise<ElementHandle> {
  const field = await page.locator(editable).nth(at).elementHandle();
  if (!field) throw new Error('it is gone');
  return field;
}

type Typed = readonly [typed: string, isValid: boolean];
const words: Typed[] = [['Łó 1,9.90 -5 "x"', true]];
const money: Typed[] = [
  ['19.99', true],
  ['19,99', true],
  ['1,234.50', true],
  ['-5', false],
  ['1.999', false],
  ['1e3', false],
];
const typedOf: Record<Exclude<FieldKind, 'date' | 'time' | 'hour'>, Typed[]> = {
  text: words,
  secret: words,
  email: [['a.b-5@x.example', true]],
  url: [['https://x.example/19.99,-5?q=1,5', true]],
  money,
  fraction: [
    ['19.99', true],
    ['19,99', true],
    ['-5', false],
    ['0.0001', false],
  ],
  count: [
    ['120', true],
    ['1,200', true],
    ['-5', false],
    ['19.99', false],
  ],
  days: [
    ['120', true],
    ['1,200', false],
    ['-5', false],
    ['19.99', false],
  ],
};

interface HeldField {
  value: string;
  isValid: boolean;
}

const heldBy = (field: ElementHandle): Promise<HeldField> =>
  field.evaluate((one) => {
    const { value, validity } = one as unknown as { value: string; validity: { valid: boolean } };
    return { value, isValid: validity.valid };
  });

async function typeTime({ keyboard }: Page, field: ElementHandle, type: string): Promise<string[]> {
  if (type !== 'time') await keyboard.type('06152027');
  if (type === 'datetime-local') await keyboard.press('ArrowRight');
  if (type !== 'date') await keyboard.type('0930AM');
  const { value } = await heldBy(field);
  const expected = { date: '2027-06-15', time: '09:30' }[type] ?? '2027-06-15T09:30';
  return value === expected ? [] : [`typed as a time it holds ${value}`];
}

/**
 * Types into a field by single keys, then pastes the same; leaves it as it was. Returns what is wrong. The field is focused
 * once, as by a person: one that loses the focus while it is typed into does not hold what is typed.
 */
export async function typeInto(page: Page, at: number, kind: FieldKind, type: string): Promise<string[]> {
  const { keyboard } = page;
  const field = await fieldAt(page, at);
  const { value: before } = await heldBy(field);
  const faults: string[] = [];
  await field.focus();
  if (/^(date|datetime-local|time)$/.test(type)) faults.push(...(await typeTime(page, field, type)));
  else if (kind === 'date' || kind === 'time' || kind === 'hour' || type === 'number')
    faults.push(`a ${kind} of type ${type}`);
  else {
    const limit = Number((await field.getAttribute('maxlength')) ?? 1000);
    for (const [text, isValid] of typedOf[kind]) {
      const typed = text.slice(0, limit);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(typed);
      const held = await heldBy(field);
      if (held.value !== typed) faults.push(`${typed} typed is ${held.value}`);
      if (/^(money|fraction|count|days)$/.test(kind) && held.isValid !== isValid) {
        faults.push(`${typed} is ${held.isValid ? 'taken' : 'refused'}`);
      }
      if (kind === 'secret') continue;
      await keyboard.press('ControlOrMeta+a');
      await keyboard.press('ControlOrMeta+x');
      await keyboard.press('ControlOrMeta+v');
      const pasted = await heldBy(field);
      if (pasted.value !== typed) faults.push(`${typed} pasted is ${pasted.value}`);
    }
  }
  await field.fill(before);
  await field.dispose();
  return faults;
}

import { Invalid } from '../../platform/errors/invalid.js';
import { countsText } from './notice-words.js';
import { plainLines } from './notice-formats.js';
import type { Notice, NoticeItem } from './notice.js';

type Loc = (string | number)[];
type Values = Readonly<Record<string, string | number>>;
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** What a body may name, with the longest text that stands for it. */
const ofRun = {
  title: 250,
  organization: 200,
  workflow: 200,
  trigger: 20,
  url: 2_500,
  counts: 200,
  worst: 10_500,
  total: 20,
  'issues.critical': 20,
  'issues.high': 20,
  'issues.medium': 20,
  'issues.low': 20,
  'issues.info': 20,
};
const ofIssue = {
  'issue.id': 36,
  'issue.name': 300,
  'issue.severity': 20,
  'issue.category': 40,
  'issue.status': 20,
  'issue.place': 300,
  'issue.asset': 300,
  'issue.url': 2_500,
};
type FieldName = keyof typeof ofRun | keyof typeof ofIssue;

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;
const lonePlaceholder = /^\{\{\s*([\w.]+)\s*\}\}$/;

// Unspecified: how large a body is. These many characters, whatever the values are: so it is refused when it is saved.
const maxRendered = 100_000;
const maxPlaceholders = 100;

function fieldsOf(perIssue: boolean): Partial<Record<FieldName, number>> {
  return perIssue ? { ...ofRun, ...ofIssue } : ofRun;
}

/** Calls `look` with each text of a body and its place. */
function visit(value: Json, loc: Loc, look: (text: string, loc: Loc) => void): void {
  if (typeof value === 'string') look(value, loc);
  else if (Array.isArray(value)) value.forEach((entry, at) => visit(entry, [...loc, at], look));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      if (/\{\{|\}\}/.test(name)) refuse(loc, 'Input should have placeholders in values alone, not in names');
      visit(entry, [...loc, name], look);
    }
  }
}

function refuse(loc: Loc, msg: string): never {
  throw Invalid.at(loc, 'value_error', msg);
}

function refuseUnknown(name: string, loc: Loc, perIssue: boolean): never {
  const known = Object.keys(fieldsOf(perIssue)).join(', ');
  const hint = Object.hasOwn(ofIssue, name)
    ? ': set perIssue to send a message for each issue'
    : `: there are ${known}`;
  refuse(loc, `Input should name a known field in {{ }}, not ${name.slice(0, 50)}${hint}`);
}

/** Throws `Invalid` for a body with unknown or nested placeholders, or one that could become larger than the bound. */
export function assertTemplate(template: object, perIssue: boolean, loc: Loc): void {
  const known = fieldsOf(perIssue);
  let [length, count] = [JSON.stringify(template).length, 0];
  visit(template as Json, loc, (text, at) => {
    for (const [, name = ''] of text.matchAll(placeholder)) {
      const most = Object.hasOwn(known, name) ? known[name as FieldName] : undefined;
      if (most === undefined) refuseUnknown(name, at, perIssue);
      count += 1;
      length += most;
    }
    if (/\{\{|\}\}/.test(text.replace(placeholder, ''))) {
      refuse(at, 'Input should have each placeholder as {{ name }}: one may not stand in another');
    }
  });
  if (count > maxPlaceholders) refuse(loc, `Input should have at most ${maxPlaceholders} placeholders`);
  if (length > maxRendered) {
    refuse(loc, `Input should make a body of at most ${maxRendered} characters, and could make ${length}: shorten it`);
  }
}

function valuesOf(notice: Notice, item: NoticeItem | undefined): Values {
  const { title, organization, workflow, trigger, url, total, issues } = notice;
  const common = { title, organization, workflow, trigger, url, total, counts: countsText(issues) };
  const counts = Object.entries(issues).map(([severity, count]) => [`issues.${severity.toLowerCase()}`, count]);
  const ofItem = item && Object.entries({ ...item, severity: item.severity ?? '' });
  const own = (ofItem ?? []).map(([name, value]) => [`issue.${name}`, value]);
  return { ...common, worst: plainLines(notice), ...Object.fromEntries([...counts, ...own]) } as Values;
}

function filled(value: Json, values: Values): Json {
  if (Array.isArray(value)) return value.map((entry) => filled(entry, values));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, filled(entry, values)]));
  }
  if (typeof value !== 'string') return value;
  const alone = lonePlaceholder.exec(value)?.[1];
  // A number stays one where nothing stands beside it.
  if (alone !== undefined) return values[alone] ?? '';
  return value.replace(placeholder, (_, name: string) => String(values[name] ?? ''));
}

/** The body with its placeholders replaced; `item` is the issue of a message about one. */
export function renderTemplate(template: object, notice: Notice, item?: NoticeItem): object {
  return filled(template as Json, valuesOf(notice, item)) as object;
}

import type { IssueCategory } from '../vocabulary.js';
import { categoryOfCwes, cwesIn } from './cwe-category.js';
import { type Fields, fieldsOf, listOf, textOf } from './report-text.js';

// Unspecified: the categories of tags, used for templates that name no weakness.
const categoryOfTag: Record<string, IssueCategory> = {
  xss: 'INJECTION',
  sqli: 'INJECTION',
  rce: 'INJECTION',
  lfi: 'INJECTION',
  rfi: 'INJECTION',
  ssti: 'INJECTION',
  xxe: 'INJECTION',
  injection: 'INJECTION',
  crlf: 'INJECTION',
  deserialization: 'INJECTION',
  traversal: 'INJECTION',
  csrf: 'REQUEST_FORGERY',
  ssrf: 'REQUEST_FORGERY',
  idor: 'ACCESS_CONTROL',
  unauth: 'ACCESS_CONTROL',
  'auth-bypass': 'ACCESS_CONTROL',
  'default-login': 'ACCESS_CONTROL',
  redirect: 'ACCESS_CONTROL',
  takeover: 'ACCESS_CONTROL',
  exposure: 'INFORMATION_DISCLOSURE',
  disclosure: 'INFORMATION_DISCLOSURE',
  debug: 'INFORMATION_DISCLOSURE',
  listing: 'INFORMATION_DISCLOSURE',
  token: 'SENSITIVE_DATA',
  tokens: 'SENSITIVE_DATA',
  keys: 'SENSITIVE_DATA',
  dos: 'RESOURCE_LIMITATION',
  misconfig: 'CONFIGURATION',
  misconfiguration: 'CONFIGURATION',
  cors: 'CONFIGURATION',
  headers: 'CONFIGURATION',
  ssl: 'PROTOCOL',
  tls: 'PROTOCOL',
};

/** The words of a list, which older versions write as text with commas. */
export function words(value: unknown): string[] {
  const texts = listOf(value).flatMap((item) => textOf(item, 1_000).split(','));
  return texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '');
}

export function classificationOf(info: Fields): Fields {
  return fieldsOf(info['classification']);
}

/** The category of a template, by its weakness, else by its tags. */
export function categoryOf(info: Fields): IssueCategory {
  const cwes = words(classificationOf(info)['cwe-id'] ?? classificationOf(info)['cweId']).flatMap((text) =>
    /^\d+$/.test(text) ? [Number(text)] : cwesIn(text),
  );
  const byCwe = categoryOfCwes(cwes);
  if (byCwe !== 'CUSTOM') return byCwe;
  const tag = words(info['tags']).find((word) => Object.hasOwn(categoryOfTag, word));
  return (tag && categoryOfTag[tag]) || byCwe;
}

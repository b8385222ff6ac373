import type { Cuts } from './cuts.js';
import { type ExchangeMessage, longest, type ReportAttachment } from './report-finding.js';
import { type Fields, fieldsOf, numberOf, textOf } from './report-text.js';

const maxHeaders = 200;
const maxHeader = 8_192;
const maxBody = 64 * 1024;

function messageIn(given: Fields, cuts: Cuts): ExchangeMessage {
  const fields = cuts.list(Object.entries(fieldsOf(given['headers'])), maxHeaders, 'headers');
  const headers = Object.fromEntries(fields.map(([name, value]) => [textOf(name, 256), textOf(value, maxHeader)]));
  const body = cuts.code(fieldsOf(given['body'])['text'], maxBody, 'the body of a request or response');
  return { headers, ...(body === '' ? {} : { body }) };
}

/** The request and response of a result (SARIF 2.1.0, sections 3.46 and 3.47). */
export function exchangesOf(result: Fields, cuts: Cuts): ReportAttachment[] {
  const [sent, received] = [fieldsOf(result['webRequest']), fieldsOf(result['webResponse'])];
  const url = textOf(sent['target'], longest.url);
  if (url === '') return [];
  const status = numberOf(received['statusCode']);
  const isStatus = status !== null && Number.isInteger(status) && status >= 100 && status <= 999;
  const request = { method: textOf(sent['method'], 30) || 'GET', url, ...messageIn(sent, cuts) };
  const response = isStatus ? { response: { status, ...messageIn(received, cuts) } } : {};
  return [{ type: 'EXCHANGE', exchange: { request, ...response } }];
}

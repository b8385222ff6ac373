import { readFile } from 'node:fs/promises';
import { asItIs } from '../api/service.js';
import { type ExitCode, exitCodes, Failure } from '../failure.js';
import { harmlessText } from '../output/harmless.js';
import { JsonArray, printJson } from '../output/json.js';
import type { Output } from '../output/output.js';
import type { Context } from './context.js';

export interface ApiOptions {
  field?: string[];
  input?: string;
  contentType: string;
  paginate?: true;
}

type Fields = Record<string, unknown>;

/** Sends by a query, since a body has no meaning there. */
const byQuery = new Set(['GET', 'HEAD', 'DELETE']);

function valueOf(name: string, text: string, isJson: boolean): unknown {
  if (!isJson) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure(`${name} is no JSON: ${text}. Write ${name}=… for a text`, exitCodes.usage);
  }
}

/** `name=text`, `name:=json` and `name[]=entry`. */
function fieldsOf(given: readonly string[]): Fields {
  const fields = new Map<string, unknown>();
  for (const one of given) {
    const at = one.indexOf('=');
    const isJson = one[at - 1] === ':';
    const key = one.slice(0, isJson ? at - 1 : at);
    const value = valueOf(key, one.slice(at + 1), isJson);
    const name = key.endsWith('[]') ? key.slice(0, -2) : key;
    const before = fields.get(name);
    if (name === key) fields.set(name, value);
    else fields.set(name, [...(Array.isArray(before) ? (before as unknown[]) : []), value]);
  }
  return Object.fromEntries(fields);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The address of a path of the service; the key must not reach another one. */
function addressOf(service: string, path: string, query: Fields): URL {
  const refuse = () =>
    new Failure(`"${path}" is no path of ${service}: give one such as /api/v1/issues`, exitCodes.usage);
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|[\\\s]/i.test(path)) throw refuse();
  const url = new URL(service + (path.startsWith('/') ? path : `/api/v1/${path}`));
  const base = new URL(`${service}/`);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) throw refuse();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) url.searchParams.append(name, textOf(one));
  }
  return url;
}

async function inputOf({ surroundings: { stdin } }: Context, file: string): Promise<Buffer> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  return readFile(file).catch((error: Error) => {
    throw new Failure(`Cannot read ${file}: ${error.message}`, exitCodes.usage);
  });
}

async function bodyOf(
  context: Context,
  method: string,
  { input, field, contentType }: ApiOptions,
): Promise<{ type: string; bytes: string | Uint8Array<ArrayBuffer> } | null> {
  if (input !== undefined) {
    if (method === 'GET' || method === 'HEAD') {
      throw new Failure(`A ${method} has no body: give fields by -f`, exitCodes.usage);
    }
    const bytes = await inputOf(context, input);
    return { type: contentType, bytes: new Uint8Array(bytes) };
  }
  if (byQuery.has(method) || field === undefined) return null;
  return { type: 'application/json', bytes: JSON.stringify(fieldsOf(field)) };
}

function hasJson(response: Response): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');
}

async function printBytes(output: Output, response: Response): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    if (output.isTerminal) await output.write(harmlessText(decoder.decode(chunk, { stream: true })));
    else await output.write(chunk);
  }
}

async function printBody(output: Output, response: Response): Promise<void> {
  if (output.shape && response.ok && hasJson(response)) return printJson(output, await response.json());
  await printBytes(output, response);
  if (output.isTerminal && response.body) await output.write('\n');
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
}

async function assertOk(output: Output, response: Response, called: string): Promise<void> {
  if (response.ok) return;
  await printBody(output, response);
  throw new Failure(`${called}: ${response.status} ${response.statusText}`.trim(), exitCodeOf(response.status));
}

/** The part of a list that an answer holds, and how to ask for the next one: by a cursor, or in the shop by skipping. */
function pageOf(body: unknown, { headers }: Response, skipped: number): { entries: unknown[]; next: Fields | null } {
  if (Array.isArray(body)) {
    const end = skipped + body.length;
    const hasMore = body.length > 0 && end < Number(headers.get('x-total-count') ?? 0);
    return { entries: body, next: hasMore ? { skip: end } : null };
  }
  const { data, nextCursor } = (body ?? {}) as { data?: unknown; nextCursor?: unknown };
  if (!Array.isArray(data)) throw new Failure('--paginate is for lists, and the answer is none', exitCodes.usage);
  return { entries: data, next: typeof nextCursor === 'string' ? { cursor: nextCursor } : null };
}

async function printPages({ api, access, output }: Context, path: string, fields: Fields): Promise<void> {
  const printer = new JsonArray(output);
  let skipped = 0;
  for (let next: Fields | null = {}; next;) {
    const url: URL = addressOf(access.address, path, { ...fields, ...next });
    const response = await api.request(url, { headers: { accept: asItIs } });
    await assertOk(output, response, `GET ${url.pathname}`);
    const page = pageOf(await response.json(), response, skipped);
    skipped += page.entries.length;
    await printer.print(page.entries);
    next = page.next;
  }
  await printer.end();
}

/** `api`: sends a request as it was given, and prints the body of the answer. */
export async function callApi(context: Context, method: string, path: string, options: ApiOptions): Promise<void> {
  const { api, access, output } = context;
  const fields = byQuery.has(method) ? fieldsOf(options.field ?? []) : {};
  if (options.paginate) {
    if (method !== 'GET') throw new Failure('--paginate is for GET', exitCodes.usage);
    return printPages(context, path, fields);
  }
  const url = addressOf(access.address, path, fields);
  const body = await bodyOf(context, method, options);
  const headers = { accept: asItIs, ...(body && { 'content-type': body.type }) };
  const response = await api.request(url, { method, headers, ...(body && { body: body.bytes }) });
  await assertOk(output, response, `${method} ${url.pathname}`);
  await printBody(output, response);
}

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { headersFor, isKnown, notModifiedHeadersFor, type ReadyAnswer } from './ready-answer.js';

const assemblyBytes = 32_768;
/** The place where an answer is put together, so that it leaves in one write; longer ones leave in two. */
let assembly = Buffer.allocUnsafeSlow(assemblyBytes);

const texts = new WeakMap<readonly string[], string>();

function textOf(headers: readonly string[]): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** The headers that all answers to an origin share, which make up most of them. */
function defaultsText(defaults: readonly string[]): string {
  let text = texts.get(defaults);
  if (text === undefined) texts.set(defaults, (text = textOf(defaults)));
  return text;
}

let date = '';
let dateSecond = NaN;

function dateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) date = new Date(second * 1_000).toUTCString();
  dateSecond = second;
  return date;
}

/** The caller's side of an answer. */
export interface Recipient {
  readonly requestId: string;
  readonly ifNoneMatch: string | undefined;
  /** The time after which the server ends an idle connection, in milliseconds. */
  readonly keepAliveTimeout: number;
}

/**
 * Writes what `send` would, byte for byte, past node:http: an answer, or a 304 where the caller already has it. Returns the
 * status.
 */
export function writeAnswer(answer: ReadyAnswer, to: Recipient, socket: Socket): number {
  const notModified = answer.etag !== undefined && isKnown(to.ifNoneMatch, answer.etag);
  const status = notModified ? 304 : answer.status;
  const headers = notModified ? notModifiedHeadersFor(to.requestId, answer) : headersFor(to.requestId, answer);
  const seconds = Math.floor(to.keepAliveTimeout / 1_000);
  const keepAlive = seconds > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : '';
  const head =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${defaultsText(answer.defaults)}` +
    `${textOf(headers.slice(answer.defaults.length))}Date: ${dateNow()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
  write(head, notModified ? undefined : answer.body, socket);
  return status;
}

function write(head: string, body: Buffer | undefined, socket: Socket): void {
  const length = head.length + (body?.length ?? 0);
  if (length > assembly.length) {
    socket.cork();
    socket.write(head, 'latin1');
    if (body) socket.write(body);
    socket.uncork();
    return;
  }
  assembly.write(head, 0, 'latin1');
  body?.copy(assembly, head.length);
  socket.write(assembly.subarray(0, length));
  // The system took it all, as a rule. Where it did not, the bytes are the socket's until it has.
  if (socket.writableLength > 0) assembly = Buffer.allocUnsafeSlow(assemblyBytes);
}

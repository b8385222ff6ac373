import type { RequestListener } from 'node:http';
import { afterEach, expect } from '@jest/globals';
import type { OutboundHttp, OutboundRequest } from '../../../../src/platform/net/outbound-http.js';
import { TargetUnreachable } from '../../../../src/platform/net/target-errors.js';
import { outboundHttp } from '../../../support/outbound-http.js';
import { Loopback } from './loopback.js';

const BOUNDS = { maxRedirects: 3, timeoutMs: 2_000, maxBytes: 1_000, onTooLarge: 'refuse' } as const;
const HERE = [{ address: '127.0.0.1', family: 4 }];

const running: Loopback[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** Stopped when the test ends. */
export async function started(server: Promise<Loopback>): Promise<Loopback> {
  running.push(await server);
  return server;
}

export function serve(listener: RequestListener): Promise<Loopback> {
  return started(Loopback.http(listener));
}

/** Lets requests reach this machine, under whatever name. */
export function door(certificateAuthorities?: string[]): OutboundHttp {
  return outboundHttp('127.0.0.0/8', () => Promise.resolve(HERE), certificateAuthorities);
}

export function send(url: string, more: Partial<OutboundRequest> = {}, http = door()) {
  return http.send({ url, ...BOUNDS, ...more });
}

/** The error that the sending failed with, which must be `TargetUnreachable`. */
export async function failure(sending: Promise<unknown>): Promise<TargetUnreachable> {
  const error = await sending.catch((thrown: unknown) => thrown);
  if (error instanceof TargetUnreachable) return error;
  throw new Error('TargetUnreachable was expected', { cause: error });
}

/** Waits until no connection is left. */
export async function closed(server: Loopback): Promise<void> {
  for (let waits = 0; server.open > 0 && waits < 100; waits += 1) await new Promise((done) => setTimeout(done, 10));
  expect(server.open).toBe(0);
}

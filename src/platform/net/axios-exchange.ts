import { Agent as HttpAgent, validateHeaderName, validateHeaderValue } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { type HttpModuleOptions, HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { AxiosError, AxiosHeaders, type AxiosResponse } from 'axios';
import { exchangeFailure } from './exchange-failure.js';
import type { BodySource, SingleRequest } from './redirects.js';
import { approvingLookup, type Egress } from './host-approval.js';

/** A server's answer, its body not yet read. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Readable;
}

/** Headers that the connection itself sets: a second value in these could let one request be read as two. */
export const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

/**
 * The options of axios for one request over a connection of its own, with everything else turned off: no redirects, no proxy,
 * no decompression. Only `egress` resolves addresses, and certificates are always verified: by Node's own authorities, or by
 * these in PEM.
 */
export function exchangeOptions(egress: Egress, certificateAuthorities?: string[]): HttpModuleOptions {
  const lookup = approvingLookup(egress);
  return {
    adapter: 'http',
    httpAgent: new HttpAgent({ keepAlive: false, lookup }),
    httpsAgent: new HttpsAgent({
      keepAlive: false,
      maxCachedSessions: 0,
      rejectUnauthorized: true,
      lookup,
      ca: certificateAuthorities,
    }),
    proxy: false,
    maxRedirects: 0,
    decompress: false,
    responseType: 'stream',
    validateStatus: () => true,
  };
}

/** Sends one request and returns its answer, without headers of axios's own. */
@Injectable()
export class AxiosExchange {
  constructor(private readonly http: HttpService) {
    // A header that axios has a default for would be written as axios spells it.
    http.axiosRef.defaults.headers.common = {};
  }

  /** Sends `request` and returns the answer once its headers are there; throws `TargetRefused` or `TargetUnreachable`. */
  async send(request: SingleRequest, signal: AbortSignal): Promise<RawAnswer> {
    const headers = wireHeaders(request.headers);
    const data = wireBody(request.body, headers);
    const unsent = (): unknown => data && 'destroy' in data && data.destroy();
    try {
      const { url, method } = request;
      const answer = await this.http.axiosRef.request<Readable>({ url: url.href, method, headers, data, signal });
      // A server that answers before it has read everything does not want the rest.
      answer.data.once('close', unsent);
      return { status: answer.status, headers: joined(answer.headers), body: answer.data };
    } catch (error) {
      unsent();
      throw exchangeFailure(error instanceof AxiosError ? (error.cause ?? error) : error, request.url.host);
    }
  }
}

/** The caller's headers as they are; `false` keeps axios from adding those that it otherwise would. */
function wireHeaders(headers: [string, string][]): AxiosHeaders {
  const sent = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (connectionHeaders.has(key)) throw new TypeError(`The header ${name} is set by the connection`);
    const same = sent.get(key) ?? { name: wireName(name), values: [] };
    same.values.push(value);
    sent.set(key, same);
  }
  const wire = new AxiosHeaders(Object.fromEntries([...sent.values()].map(({ name, values }) => [name, values])));
  for (const name of ['User-Agent', 'Accept', 'Accept-Encoding', 'Content-Type']) wire.set(name, false, false);
  return wire;
}

/** axios keeps headers as properties of an object with methods; a header named like one of them is written in another case. */
function wireName(name: string): string {
  if (!(name in AxiosHeaders.prototype)) return name;
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  if (capital in AxiosHeaders.prototype) throw new TypeError(`No header can have the name ${name}`);
  return capital;
}

function wireBody(body: SingleRequest['body'], headers: AxiosHeaders): Buffer | Readable | undefined {
  if (!isSource(body)) return body && Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  headers.set('Content-Length', String(body.length));
  // A source that fails ends the request, whose rejection reports it.
  return body.open();
}

function isSource(body: SingleRequest['body']): body is BodySource {
  return body !== undefined && 'open' in body;
}

function joined(headers: AxiosResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(entries);
}

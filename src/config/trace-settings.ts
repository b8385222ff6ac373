import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl } from './parse-url.js';

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** The samplers, by OpenTelemetry's names. */
export type TraceSampler = (typeof samplers)[number];

/** The destination and choice of traces. */
export interface TraceSettings {
  /** The address to post OTLP to; unset, nothing is traced. */
  url: string | undefined;
  /** Sent along; they may hold a key. */
  headers: Record<string, string>;
  /** Of the service, beside its name. */
  attributes: Record<string, string>;
  sampler: TraceSampler;
  /** The share of traces that a sampler by ratio takes. */
  ratio: number;
}

const pairsTake = 'name=value pairs separated by commas, with special characters as %XX';
/** The name of a header in HTTP (RFC 9110, section 5.6.2), and its value. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function pairOf(text: string): [string, string] | undefined {
  const cut = text.indexOf('=');
  if (cut < 1) return undefined;
  try {
    return [decodeURIComponent(text.slice(0, cut).trim()), decodeURIComponent(text.slice(cut + 1).trim())];
  } catch {
    return undefined;
  }
}

/** `a=1,b=2`, in the form of the members of a W3C baggage. */
function parsePairs(value: string): Record<string, string> | undefined {
  const members = value.split(',').filter((member) => member.trim() !== '');
  const pairs = members.flatMap((member) => {
    const pair = pairOf(member);
    return pair ? [pair] : [];
  });
  return pairs.length === members.length ? Object.fromEntries(pairs) : undefined;
}

function parseHeaders(value: string): Record<string, string> | undefined {
  const headers = parsePairs(value);
  const fit = Object.entries(headers ?? {}).every(([name, text]) => headerName.test(name) && headerValue.test(text));
  return fit ? headers : undefined;
}

function isWebUrl(value: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(value)?.protocol ?? '');
}

/** The address of the signal below that of the collector, as the specification of the OTLP exporter defines it. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.pathname += url.pathname.endsWith('/') ? 'v1/traces' : '/v1/traces';
  return url.href;
}

/** Reads the settings of traces, by OpenTelemetry's names. */
export function readTraceSettings(read: EnvironmentReader): TraceSettings {
  // No message shows it: it may hold a password.
  const takes = 'the http(s) URL of a collector, such as http://127.0.0.1:4318';
  const endpoint = read.secret('OTEL_EXPORTER_OTLP_ENDPOINT', takes, isWebUrl);
  const headers = read.secret('OTEL_EXPORTER_OTLP_HEADERS', pairsTake, (value) => parseHeaders(value) !== undefined);
  read.choice('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', ['http/protobuf']);
  const attributes = read.parsed('OTEL_RESOURCE_ATTRIBUTES', pairsTake, {}, parsePairs);
  const named = attributes['service.name'] ?? 'store-service';
  const name = read.parsed('OTEL_SERVICE_NAME', 'up to 100 characters on one line', named, (value) =>
    value.length <= 100 && !/\p{Cc}/u.test(value) ? value : undefined,
  );
  const ratio = read.parsed('OTEL_TRACES_SAMPLER_ARG', 'a share from 0 to 1, such as 0.1', 1, (value) =>
    /^(?:0|1|[01]?\.\d{1,10})$/.test(value) && Number(value) <= 1 ? Number(value) : undefined,
  );
  return {
    url: endpoint === undefined ? undefined : tracesUrl(endpoint),
    headers: parseHeaders(headers ?? '') ?? {},
    attributes: { ...attributes, 'service.name': name },
    sampler: read.choice('OTEL_TRACES_SAMPLER', 'parentbased_always_on', samplers),
    ratio,
  };
}

import { Writable } from 'node:stream';
import { ecsFormat } from '@elastic/ecs-pino-format';
import type { DestinationStream, LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import type { LogFormat } from '../../config/settings.js';
import { serviceVersion } from './service-life.js';

/** Our fields by their names in the Elastic Common Schema (https://www.elastic.co/guide/en/ecs/8.11). */
const ecsNames: Record<string, string> = {
  reqId: 'http.request.id',
  method: 'http.request.method',
  res: 'http.response.status_code',
  url: 'url.original',
  address: 'client.ip',
  user: 'user.id',
  organization: 'organization.id',
  code: 'error.code',
  trace_id: 'trace.id',
  span_id: 'span.id',
  context: 'log.logger',
};

function ecsFields({ err, responseTime, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(fields).map(([name, value]) => [ecsNames[name] ?? `labels.${name}`, value]);
  return {
    ...Object.fromEntries(named),
    ...(typeof responseTime === 'number' ? { 'event.duration': responseTime * 1_000_000 } : {}), // nanoseconds
    ...(err === undefined ? {} : { err }),
  };
}

function ecsOptions(): LoggerOptions {
  const options = ecsFormat({ serviceName: 'store-service', serviceVersion, apmIntegration: false });
  const { log } = options.formatters ?? {};
  return { ...options, formatters: { ...options.formatters, log: (fields) => log?.(ecsFields(fields)) ?? fields } };
}

/** What a format asks of the logger beside the level. */
export function formatOptions(format: LogFormat): LoggerOptions {
  return format === 'ecs' ? ecsOptions() : {};
}

function asWritable(destination: DestinationStream): Writable {
  const write = (line: Buffer, _encoding: string, done: () => void): void => {
    destination.write(line.toString());
    done();
  };
  return new Writable({ write });
}

/** Where lines of a format are written. Text is for people: in colors on a terminal, at once rather than by a thread. */
export function formatStream(
  format: LogFormat,
  destination: DestinationStream | undefined,
): DestinationStream | undefined {
  if (format !== 'text') return destination;
  return pretty({
    sync: true,
    colorize: destination === undefined && process.stdout.isTTY,
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: "yyyy-mm-dd'T'HH:MM:ss.l'Z'",
    ...(destination && { destination: asWritable(destination) }),
  });
}

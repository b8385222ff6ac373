import { describe, expect, it } from '@jest/globals';
import type { LogFormat } from '../../../../src/config/settings.js';
import { makeLogger } from '../../../../src/platform/http/request-log.js';

const entry = {
  reqId: 'price-cut-1',
  res: 409,
  responseTime: 12,
  method: 'POST',
  url: '/api/v1/orders/checkout',
  user: '6a1f6f5c-0d8f-4c0b-9d0a-0c5f2f0f1a11',
  order: '240',
  code: 'insufficient_stock',
};

function written(logFormat: LogFormat, err?: Error): string {
  let lines = '';
  const logger = makeLogger({ logLevel: 'info', logFormat }, { write: (line: string) => void (lines += line) });
  logger.info(err ? { ...entry, err } : entry, 'answered');
  return lines;
}

describe('LOG_FORMAT', () => {
  it('json has an object a line', () => {
    expect(JSON.parse(written('json'))).toMatchObject({ ...entry, level: 30, msg: 'answered' });
  });

  it('ecs names the fields by the Elastic Common Schema', () => {
    const failure = Object.assign(new Error('no relation'), { detail: 'Key (email)=(ada@example.com)' });
    const line = written('ecs', failure);
    expect(JSON.parse(line)).toMatchObject({
      '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'log.level': 'info',
      'ecs.version': expect.any(String),
      'service.name': 'store-service',
      message: 'answered',
      'http.request.id': 'price-cut-1',
      'http.request.method': 'POST',
      'http.response.status_code': 409,
      'url.original': '/api/v1/orders/checkout',
      'user.id': entry.user,
      'labels.order': '240',
      'event.duration': 12_000_000,
    });
    expect(line).toContain('no relation');
    expect(line).not.toContain('ada@example.com');
  });

  it('text is a line for people', () => {
    const line = written('text');
    expect(line.split('\n')).toHaveLength(2);
    expect(line).toMatch(/^\[[\d-]+T[\d:.]+Z\] INFO: answered .*"res":409/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { makeLogger } from '../../../../src/platform/http/request-log.js';

function logged(error: unknown): string {
  let lines = '';
  makeLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line: string) => void (lines += line) }).error(
    { err: error },
    'failed',
  );
  return lines;
}

describe('makeLogger', () => {
  it("logs an error's message and stack, and none of the values that drivers attach to it", () => {
    const error = Object.assign(new Error('null value in column "name"'), {
      code: '23502',
      constraint: 'integrations_name_check',
      detail: 'Failing row contains (secret-of-the-row).',
      query: "INSERT INTO integrations VALUES ('secret-of-the-query')",
      parameters: ['secret-of-the-values'],
      driverError: { detail: 'secret-of-the-driver' },
      config: { headers: { Authorization: 'secret-of-the-request' } },
    });
    const line = logged(error);
    expect(line).not.toContain('secret-of');
    expect(JSON.parse(line)).toMatchObject({
      msg: 'failed',
      err: {
        type: 'Error',
        message: 'null value in column "name"',
        stack: expect.stringContaining('request-log.logger.test'),
        code: '23502',
        constraint: 'integrations_name_check',
      },
    });
  });

  it('logs an error with its cause', () => {
    const line = logged(new Error('outer', { cause: new Error('the reason') }));
    expect((JSON.parse(line) as { err: { message: string } }).err.message).toBe('outer: the reason');
  });
});

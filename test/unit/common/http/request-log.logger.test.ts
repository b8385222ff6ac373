import { describe, expect, it } from '@jest/globals';
import { makeLogger } from '../../../../src/common/http/request-log.js';

function logged(error: unknown): string {
  let lines = '';
  makeLogger('info', { write: (line: string) => void (lines += line) }).error({ err: error }, 'failed');
  return lines;
}

describe('makeLogger', () => {
  it('logs of an error what went wrong and where, and none of the values that drivers hang on it', () => {
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

  it('logs the cause of an error beside it', () => {
    const line = logged(new Error('outer', { cause: new Error('the reason') }));
    expect((JSON.parse(line) as { err: { message: string } }).err.message).toBe('outer: the reason');
  });
});

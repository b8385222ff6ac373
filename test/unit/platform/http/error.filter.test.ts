import type { ArgumentsHost } from '@nestjs/common';
import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { ErrorFilter } from '../../../../src/platform/http/error.filter.js';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import {
  Conflict,
  Forbidden,
  found,
  NotFound,
  PayloadTooLarge,
  QuotaExceeded,
  RateExceeded,
  RuleBroken,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  UnsupportedMediaType,
  UpstreamFailed,
} from '../../../../src/platform/errors/errors.js';
import type { Quota } from '../../../../src/config/quotas.js';

class Answer {
  headersSent = false;
  destroyed = false;
  err: Error | undefined;
  code = 0;
  headers: Record<string, string> = {};
  body: unknown;

  status(code: number): this {
    this.code = code;
    return this;
  }
  set(headers: Record<string, string>): this {
    this.headers = headers;
    return this;
  }
  json(body: unknown): this {
    this.body = body;
    return this;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

function answerTo(error: unknown, answer = new Answer()): Answer {
  const request = { method: 'GET', path: `/nowhere/${'x'.repeat(1000)}` };
  const http = { getRequest: () => request, getResponse: () => answer };
  const filter = new ErrorFilter(new ModulesContainer());
  const handle = filter.catch.bind(filter);
  handle(error, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return answer;
}

const members: Quota = {
  name: 'members',
  limit: 3,
  counts: 'members of one organization',
  remedy: 'remove one first',
};

/** What body-parser throws, as Nest passes it on. */
function fromBodyParser(fields: Record<string, unknown>, message = ''): HttpException {
  return new HttpException('', 400, { cause: Object.assign(new Error(message), { status: 400, ...fields }) });
}

describe('ErrorFilter', () => {
  it.each([
    [new RuleBroken('No', 'empty_cart'), 400, 'empty_cart'],
    [new Unauthenticated(), 401, 'unauthenticated'],
    [new Forbidden('No'), 403, 'forbidden'],
    [new QuotaExceeded(members), 403, 'quota_exceeded'],
    [new NotFound('No'), 404, 'not_found'],
    [new Conflict('No', 'username_taken'), 409, 'username_taken'],
    [new PayloadTooLarge('No'), 413, 'payload_too_large'],
    [new UnsupportedMediaType('No'), 415, 'unsupported_media_type'],
    [new TooManyRequests('No', 5), 429, 'too_many_requests'],
    [new RateExceeded(members, 5), 429, 'rate_exceeded'],
    [new UpstreamFailed('No'), 502, 'upstream_failed'],
    [new Unavailable('No'), 503, 'unavailable'],
  ])('maps %p to %d', (error, status, code) => {
    const answer = answerTo(error);
    expect([answer.code, answer.body]).toEqual([status, { detail: error.message, code }]);
  });

  it('names the scheme with a 401', () => {
    expect(answerTo(new Unauthenticated()).headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
  });

  it.each([
    [0, '1'],
    [0.2, '1'],
    [59.1, '60'],
  ])('says with a 429 to retry after whole seconds: %d', (seconds, header) => {
    expect(answerTo(new TooManyRequests('No', seconds)).headers).toEqual({ 'Retry-After': header });
  });

  it('says of a full quota what it limits, how to make room, and which setting sets it', () => {
    const answer = answerTo(new QuotaExceeded(members));
    expect((answer.body as { detail: string }).detail).toBe(
      'The limit of 3 members of one organization is reached: remove one first. ' +
        'The operator of the service can change it (QUOTAS, members)',
    );
    expect(answer.headers).toEqual({ 'RateLimit-Policy': '"members";q=3', RateLimit: '"members";r=0' });
  });

  it('sends the window of an exhausted rate, and when there is room again', () => {
    expect(answerTo(new RateExceeded({ ...members, windowSeconds: 3600 }, 59.1)).headers).toEqual({
      'Retry-After': '60',
      'RateLimit-Policy': '"members";q=3;w=3600',
      RateLimit: '"members";r=0;t=60',
    });
  });

  it('responds with 422 to invalid input, listing its problems', () => {
    const answer = answerTo(Invalid.at(['query', 'sort'], 'enum', 'No', 'x'));
    expect([answer.code, answer.body]).toEqual([
      422,
      { detail: [{ loc: ['query', 'sort'], type: 'enum', msg: 'No', input: 'x' }] },
    ]);
  });

  it('finds invalid input inside the errors that body-parser and Nest wrap it in', () => {
    const invalid = Invalid.at(['body'], 'json_invalid', 'No');
    expect(answerTo(new HttpException('', 403, { cause: invalid })).code).toBe(422);
  });

  it.each([
    ["Expected ',' or '}' in JSON at position 4 (line 1 column 5)", 'The body is not valid JSON: see character 5'],
    ['Unexpected end of JSON input', 'The body is not valid JSON: it ends too early'],
    [`Unexpected token 'o', "hunter2" is not valid JSON`, 'The body is not valid JSON'],
  ])('says where JSON is broken, without repeating any of it: %s', (message, msg) => {
    const answer = answerTo(fromBodyParser({ type: 'entity.parse.failed' }, message));
    expect(answer.body).toEqual({ detail: [{ loc: ['body'], msg, type: 'json_invalid' }] });
  });

  it('responds with 422 to a body that cannot be decompressed, and with 500 when a decompression of our own fails', () => {
    expect(answerTo(fromBodyParser({ code: 'Z_DATA_ERROR' })).code).toBe(422);
    expect(answerTo(Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' })).code).toBe(500);
  });

  it('responds with 422 to a URL that cannot be decoded', () => {
    const error = Object.assign(new URIError('Failed to decode'), { status: 400 });
    expect(answerTo(new BadRequestException('', { cause: error })).code).toBe(422);
  });

  it('responds with 404 to an unknown path, shortening a long one', () => {
    const { code, body } = answerTo(new NotFoundException());
    expect(code).toBe(404);
    expect((body as { detail: string }).detail.length).toBeLessThan(300);
  });

  it.each([
    [408, 'request_timeout'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [418, 'bad_request'],
  ])('keeps the status %d of other HTTP errors', (status, code) => {
    const answer = answerTo(Object.assign(new Error('inner words'), { statusCode: status }));
    expect([answer.code, answer.body]).toEqual([status, { detail: expect.not.stringContaining('inner'), code }]);
  });

  it('responds with 503 while the database is away, and logs it', () => {
    const answer = answerTo(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    expect(answer).toMatchObject({ code: 503, headers: { 'Retry-After': '2' }, err: { message: 'no' } });
  });

  it('responds with 503 when concurrent changes always came first, and logs it', () => {
    const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const answer = answerTo(lost);
    expect(answer).toMatchObject({ code: 503, body: { code: 'busy' }, headers: { 'Retry-After': '2' }, err: lost });
  });

  it.each([new Error('secret'), 'secret', null, undefined, { status: 200 }, new HttpException('secret', 500)])(
    'responds with 500 to any other error, hiding its message, and logs it: %p',
    (error) => {
      const answer = answerTo(error);
      expect(answer.code).toBe(500);
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      expect(answer.err).toBeInstanceOf(Error);
    },
  );

  it('cuts off a response that was already under way', () => {
    const answer = Object.assign(new Answer(), { headersSent: true });
    // The log has the code of the error; a status that was sent would stand in its place.
    expect(answerTo(new Error('late'), answer)).toMatchObject({ destroyed: true, code: 'internal_error' });
  });
});

describe('found', () => {
  it('returns the value, falsy or not', () => {
    expect([found(0, 'Zero'), found('', 'Text')]).toEqual([0, '']);
  });

  it.each([null, undefined])('throws NotFound for %s', (nothing) => {
    expect(() => found(nothing, 'Product')).toThrow(new NotFound('Product not found'));
  });
});

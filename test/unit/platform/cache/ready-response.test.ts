import { describe, expect, it } from '@jest/globals';
import { etagOf } from '../../../../src/platform/http/entity-tag.js';
import { headersFor, isKnown, notModifiedHeadersFor } from '../../../../src/platform/cache/ready-response.js';

describe('etagOf', () => {
  it('is strong: equal for equal bytes, different for others', () => {
    expect(etagOf(Buffer.from('[]'))).toMatch(/^"[\w-]{27}"$/);
    expect(etagOf(Buffer.from('[]'))).toBe(etagOf(Buffer.from('[]')));
    expect(etagOf(Buffer.from('[]'))).not.toBe(etagOf(Buffer.from('{}')));
  });
});

describe('isKnown', () => {
  it.each(['"a"', ' "a" ', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '*', ' * '])(
    'matches %s with the tag "a"',
    (value) => {
      expect(isKnown(value, '"a"')).toBe(true);
    },
  );

  it.each([undefined, '', 'a', '"A"', '"b"', '"a', 'w/"a"', '"b", *'])('does not match %s with it', (value) => {
    expect(isKnown(value, '"a"')).toBe(false);
  });
});

describe('The headers of a kept answer', () => {
  const headers = ['vary', 'Origin', 'ETag', '"a"', 'Content-Type', 'application/json', 'Content-Length', '2'];
  const answer = () => ({
    headers: [...headers, 'x-request-id', ''],
    status: 200,
    etag: '"a"',
    body: Buffer.from('[]'),
  });

  it('include the id of the current request', () => {
    const kept = answer();
    expect(headersFor('one', kept)).toEqual([...headers, 'x-request-id', 'one']);
    expect(headersFor('two', kept)).toEqual([...headers, 'x-request-id', 'two']);
  });

  it('describe no body in a 304', () => {
    const kept = answer();
    expect(notModifiedHeadersFor('one', kept)).toEqual(['vary', 'Origin', 'ETag', '"a"', 'x-request-id', 'one']);
    expect(headersFor('two', kept)).toEqual([...headers, 'x-request-id', 'two']);
  });
});

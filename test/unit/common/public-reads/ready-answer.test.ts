import { describe, expect, it } from '@jest/globals';
import { etagOf } from '../../../../src/common/http/entity-tag.js';
import { headersFor, isKnown, notModifiedHeadersFor } from '../../../../src/common/public-reads/ready-answer.js';

describe('etagOf', () => {
  it('is strong, the same for the same bytes and another for others', () => {
    expect(etagOf(Buffer.from('[]'))).toMatch(/^"[\w-]{27}"$/);
    expect(etagOf(Buffer.from('[]'))).toBe(etagOf(Buffer.from('[]')));
    expect(etagOf(Buffer.from('[]'))).not.toBe(etagOf(Buffer.from('{}')));
  });
});

describe('isKnown', () => {
  it.each(['"a"', ' "a" ', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '*', ' * '])('takes %s for the tag "a"', (value) => {
    expect(isKnown(value, '"a"')).toBe(true);
  });

  it.each([undefined, '', 'a', '"A"', '"b"', '"a', 'w/"a"', '"b", *'])('does not take %s for it', (value) => {
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

  it('carry the id of the request that is answered', () => {
    const kept = answer();
    expect(headersFor('one', kept)).toEqual([...headers, 'x-request-id', 'one']);
    expect(headersFor('two', kept)).toEqual([...headers, 'x-request-id', 'two']);
  });

  it('say nothing of a body in a 304', () => {
    const kept = answer();
    expect(notModifiedHeadersFor('one', kept)).toEqual(['vary', 'Origin', 'ETag', '"a"', 'x-request-id', 'one']);
    expect(headersFor('two', kept)).toEqual([...headers, 'x-request-id', 'two']);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  isDatabaseAway,
  isDatabaseExhausted,
  isTransientConflict,
  violatedKey,
} from '../../../../src/platform/errors/database-errors.js';

function failure(fields: Record<string, unknown>): Error {
  return Object.assign(new Error(''), fields);
}

/** As TypeORM wraps it. */
function wrapped(fields: Record<string, unknown>): Error {
  return failure({ driverError: failure(fields) });
}

describe('isDatabaseAway', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '08006', '57P01', '57P03', '53300', '57014', '25006'])(
    'is true of the code %s, bare, in TypeORM and in an AggregateError',
    (code) => {
      expect(isDatabaseAway(failure({ code }))).toBe(true);
      expect(isDatabaseAway(wrapped({ code }))).toBe(true);
      expect(isDatabaseAway(new AggregateError([failure({ code })]))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query runner already released. Cannot run queries anymore.',
  ])('is true of the message "%s"', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true);
  });

  it.each([null, undefined, 'text', new Error('no'), failure({ code: '23505' }), failure({ code: '42601' })])(
    'is false of %p',
    (error) => {
      expect(isDatabaseAway(error)).toBe(false);
    },
  );
});

describe('A PANIC of a full log', () => {
  const error = wrapped({ code: '53100', severity: 'PANIC' });

  it('means that the database is away: what was to be committed may be there afterwards', () => {
    expect([isDatabaseAway(error), isDatabaseExhausted(error)]).toEqual([true, false]);
  });
});

describe('isDatabaseExhausted', () => {
  it('is true of a full disk, a failing disk and a lack of memory, and of nothing that means the database is away', () => {
    const codes = ['53100', '53200', '53000', '58030', '58000', '53300', '57P01', '23505', '5310', ''];
    expect(codes.map((code) => isDatabaseExhausted(wrapped({ code })))).toEqual([
      ...Array<boolean>(5).fill(true),
      ...Array<boolean>(5).fill(false),
    ]);
  });
});

describe('An error of another server of Citus, which lost its code', () => {
  it.each([
    ['XX000', 'server closed the connection unexpectedly', 'away'],
    ['XX000', 'failure on connection marked as essential: 10.0.0.7:5432', 'away'],
    ['XX000', 'terminating connection due to administrator command', 'away'],
    ['XX000', 'the database system is starting up', 'away'],
    ['XX000', 'canceling statement due to statement timeout', 'away'],
    ['58030', 'failed to complete COPY on 10.0.0.7:5432', 'away'],
    ['58030', 'failed to COPY to shard 102045 : server closed the connection', 'away'],
    ['XX000', 'deadlock detected', 'conflict'],
    ['XX000', 'could not serialize access due to concurrent update', 'conflict'],
    ['XX000', 'could not extend file "base/1/2": No space left on device', 'exhausted'],
    ['XX000', 'out of shared memory', 'exhausted'],
    ['58030', 'could not read block 7 in file "base/1/2": Input/output error', 'exhausted'],
    ['XX000', 'cache lookup failed for relation 1', 'none'],
    ['42601', 'deadlock detected', 'none'],
  ])('is known by its words: %s, %s', (code, message, kind) => {
    const error = wrapped({ code, message });
    const kinds = {
      away: isDatabaseAway(error),
      conflict: isTransientConflict(error),
      exhausted: isDatabaseExhausted(error),
    };
    expect(Object.entries(kinds).flatMap(([name, is]) => (is ? [name] : []))).toEqual(kind === 'none' ? [] : [kind]);
  });
});

describe('isTransientConflict', () => {
  it.each([
    ['XX000', 'could not find valid entry for shard 102045', true],
    ['0A000', 'direct joins between distributed and local tables are not supported', true],
    ['XX000', 'cache lookup failed for relation 1', false],
    ['0A000', 'cannot push down this subquery', false],
  ])('of Citus, is true where tables are being spread: %s, %s', (code, message, is) => {
    expect(isTransientConflict(wrapped({ code, message }))).toBe(is);
  });

  it('holds only for serialization failures and deadlocks', () => {
    expect(['40001', '40P01', '23505', '57014'].map((code) => isTransientConflict(wrapped({ code })))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('violatedKey', () => {
  it('names the constraint', () => {
    expect(violatedKey(wrapped({ code: '23505', constraint: 'users_email_key' }))).toBe('users_email_key');
    expect(violatedKey(failure({ code: '23503', constraint: 'carts_user_id_fkey' }))).toBe('carts_user_id_fkey');
  });

  it('is null for any other error', () => {
    expect(violatedKey(failure({ code: '23514', constraint: 'x' }))).toBeNull();
    expect(violatedKey(null)).toBeNull();
  });
});

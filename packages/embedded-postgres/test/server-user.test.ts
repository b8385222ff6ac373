import { describe, expect, it } from '@jest/globals';
import { findUser, serverEnvironment } from '../src/server-user.js';

const passwd = 'root:x:0:0:root:/root:/bin/sh\n\nbroken\nnobody:*:-2:-2:Unprivileged:/var/empty:/usr/bin/false\n';

describe('findUser', () => {
  it('finds a user by name and reads negative ids as the system does', () => {
    const found = findUser(passwd, (name) => name === 'nobody');
    expect(found).toEqual({ name: 'nobody', ids: { uid: 4_294_967_294, gid: 4_294_967_294 } });
  });

  it('finds a user by id', () => {
    expect(findUser(passwd, (_, uid) => uid === 0)?.name).toBe('root');
  });

  it('skips lines that are not users', () => {
    expect(findUser(passwd, (name) => name === 'broken' || name === '')).toBeNull();
  });
});

describe('serverEnvironment', () => {
  it('passes on what programs need to run, and nothing else', () => {
    const before = { ...process.env };
    const others = [
      'PGDATA',
      'PGOPTIONS',
      'LC_MESSAGES',
      'LANG',
      'LD_PRELOAD',
      'JWT_SECRET',
      'ENCRYPTION_KEY',
      'OTHER',
    ];
    try {
      for (const name of others) process.env[name] = 'of no concern to PostgreSQL';
      const environment = serverEnvironment();
      expect(JSON.stringify(environment)).not.toContain('of no concern');
      expect(environment).toMatchObject({ LC_ALL: 'C', TZ: 'UTC', PATH: before['PATH'] });
    } finally {
      for (const name of others) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});

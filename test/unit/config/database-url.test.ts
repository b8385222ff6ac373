import { describe, expect, it } from '@jest/globals';
import { databaseHosts, isPrimaryAsked, placeOf } from '../../../src/config/database-url.js';
import { loadSettings } from '../../../src/config/settings.js';

const two = 'postgresql://shop:p,w%40@db1.internal:6432,[::1]/shop?target_session_attrs=read-write&sslmode=require';

describe('A URL of several hosts', () => {
  it('names each with its port, and leads to each alone', () => {
    const rest = '/shop?target_session_attrs=read-write&sslmode=require';
    expect(databaseHosts(two)).toEqual([
      { name: 'db1.internal', port: 6432, url: `postgresql://shop:p,w%40@db1.internal:6432${rest}` },
      { name: '::1', port: 5432, url: `postgresql://shop:p,w%40@[::1]${rest}` },
    ]);
  });

  it('is shown without its secrets', () => {
    expect(placeOf(two)).toBe('db1.internal:6432,[::1]/shop');
    expect(placeOf('postgres://u:secret@h/d')).toBe('h/d');
  });

  it.each([
    ['postgres://u:p,q@h/d', false],
    ['postgres://u:p@h/d?sslmode=require', false],
    ['postgres://u:p@h/d?target_session_attrs=primary', true],
    ['postgres://u:p@h,i/d', true],
  ])('has the primary looked up, and no other URL does: %s', (url, isAsked) => {
    expect(loadSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
    expect(isPrimaryAsked(url)).toBe(isAsked);
  });

  it.each([
    ['postgres://u:mytext@h1,,h2/d', 'host 2 of 3 is empty'],
    ['postgres://u:mytext@h1,/d', 'host 2 of 2 is empty'],
    ['postgres://u:mytext@h1:0,h2/d', 'host 1 of 2 takes a name or an address, and a port from 1 to 65535'],
    ['postgres://u:mytext@h1,h2:65536/d', 'host 2 of 2 takes'],
    ['postgres://u:mytext@h1,h2:5432x/d', 'host 2 of 2 takes'],
    ['postgres://u:mytext@h1,h 2/d', 'host 2 of 2 takes'],
    ['postgres://u:mytext@[::1,h2/d', 'host 1 of 2 takes'],
    ['postgres://u:mytext@h1,h^2/d', 'it takes a URL such as'],
    ['postgres://u:mytext@h1:99999/d', 'it takes a URL such as'],
    ['mysql://u:mytext@h1,h2/d', 'it takes a URL such as'],
    ['postgres:///d?host=h1,h2', 'several hosts stand before the path'],
    [
      'postgres://u:mytext@h1,h2/d?target_session_attrs=any',
      'the service writes, so target_session_attrs is read-write or primary',
    ],
    [
      'postgres://u:mytext@h1/d?target_session_attrs=',
      'the service writes, so target_session_attrs is read-write or primary',
    ],
    [
      'postgres://u:mytext@h1/d?target_session_attrs=standby',
      'the service writes, so target_session_attrs is read-write or primary',
    ],
  ])('that cannot be used ends the start with a sentence without its secrets: %s', (url, problem) => {
    for (const name of ['DATABASE_URL', 'DATABASE_URL_DIRECT']) {
      const read = (): unknown => loadSettings({ DATABASE_URL: 'postgres://h/d', [name]: url });
      expect(read).toThrow(`${name} cannot be used: ${problem}`);
      expect(read).not.toThrow('mytext');
    }
  });
});

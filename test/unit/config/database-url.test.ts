import { describe, expect, it } from '@jest/globals';
import { placeOf } from '../../../src/config/database-url.js';
import { loadSettings } from '../../../src/config/settings.js';

describe('The URL of a database', () => {
  it('is shown without its secrets', () => {
    expect(placeOf('postgresql://shop:p,w%40@db1.internal:6432/shop?sslmode=require')).toBe('db1.internal:6432/shop');
    expect(placeOf('postgres://u:secret@h/d')).toBe('h/d');
  });

  it.each(['postgres://u:p,q@h/d', 'postgres://u:p@[::1]:5433/d?sslmode=require'])('can be %s', (url) => {
    expect(loadSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['postgres://u:mytext@h1,h2/d', 'it takes one address. Let it lead to HAProxy'],
    ['postgres://u:mytext@h1:1,h2:2/d?sslmode=require', 'it takes one address. Let it lead to HAProxy'],
    ['postgres:///d?host=h1,h2', 'it takes one address. Let it lead to HAProxy'],
    ['postgres://u:mytext@h1/d?target_session_attrs=read-write', 'it takes one address. Let it lead to HAProxy'],
    ['postgres://u:mytext@h^2/d', 'it takes a URL such as'],
    ['postgres://u:mytext@h1:99999/d', 'it takes a URL such as'],
    ['mysql://u:mytext@h1/d', 'it takes a URL such as'],
  ])('that cannot be used ends the start with a sentence without its secrets: %s', (url, problem) => {
    for (const name of ['DATABASE_URL', 'DATABASE_URL_DIRECT']) {
      const read = (): unknown => loadSettings({ DATABASE_URL: 'postgres://h/d', [name]: url });
      expect(read).toThrow(`${name} cannot be used: ${problem}`);
      expect(read).not.toThrow('mytext');
    }
  });
});

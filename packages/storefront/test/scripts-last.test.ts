import { describe, expect, it } from '@jest/globals';
import { scriptsLast } from '../src/lib/server/scripts-last.js';

const page = (link: string) =>
  new Response('<html><head></head><body><img src="/a.avif" /></body></html>', { status: 404, headers: { link } });
const style = '</_app/0.css>; rel="preload"; as="style"; nopush';
const script = (name: string) => `</_app/${name}.js>; rel="modulepreload"; nopush`;

describe('The scripts of a page', () => {
  it('are asked for below its pictures, and its styles in its head', async () => {
    const sent = await scriptsLast(page([style, script('start'), script('app')].join(', ')));
    expect([sent.status, sent.headers.get('link')]).toEqual([404, style]);
    const tags = ['start', 'app'].map((name) => `<link rel="modulepreload" href="/_app/${name}.js" />`).join('');
    expect(await sent.text()).toMatch(new RegExp(`<img src="/a.avif" />\\s*${tags}\\s*</body>`));
  });

  it('change nothing of an answer that names none', async () => {
    const answer = page(style);
    expect(await scriptsLast(answer)).toBe(answer);
  });
});

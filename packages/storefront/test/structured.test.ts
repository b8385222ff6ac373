import { describe, expect, it } from '@jest/globals';
import { breadcrumbOf, structured } from '../src/lib/structured.js';

describe('structured', () => {
  it('ends its element nowhere but at its end, and keeps every name', () => {
    const name = '</script><script>alert(1)</script><!--';
    const html = structured({ name });
    expect(html.match(/<\/?script/g)).toEqual(['<script', '</script']);
    expect(html).not.toContain('<!--');
    expect(JSON.parse(html.slice(html.indexOf('>') + 1, html.lastIndexOf('<')))).toEqual({ name });
  });
});

describe('breadcrumbOf', () => {
  it('counts the steps from one', () => {
    const way = breadcrumbOf('https://shop.example', [
      { name: 'Home', href: '/' },
      { name: 'Mugs', href: '/c/mugs' },
    ]);
    expect(way).toMatchObject({
      itemListElement: [
        { position: 1, item: 'https://shop.example/' },
        { position: 2, item: 'https://shop.example/c/mugs' },
      ],
    });
  });
});

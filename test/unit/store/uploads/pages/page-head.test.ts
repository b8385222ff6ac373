import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, property } from 'fast-check';
import { readPageHead } from '../../../../../src/store/uploads/pages/page-head.js';

describe('readPageHead', () => {
  it.each([
    ['<title>Lamps</title>', 'Lamps', ''],
    ['<TITLE\n lang=en>\n  Lamps &amp;\n  more </Title >', 'Lamps & more', ''],
    ['<title>Lamps</title><meta name="description" content="All of &quot;them&quot;">', 'Lamps', 'All of "them"'],
    ["<meta content='first' name='Description'><title>Lamps</title>", 'Lamps', 'first'],
    ['<META NAME=description CONTENT=short><title>x</title>', 'x', 'short'],
    ['<meta property="og:title" content="OG"><meta property="og:description" content="og words">', 'OG', 'og words'],
    ['<meta property="og:title" content="OG"><title>own</title>', 'own', ''],
    [
      '<meta property="og:description" content="og"><title>t</title><meta name="description" content="own">',
      't',
      'own',
    ],
    ['<meta name="description" content=""><meta property="og:description" content="og">', '', 'og'],
    ['<meta name="twitter:title" content="tw">', 'tw', ''],
    ['<title>one</title><title>two</title>', 'one', ''],
    ['<!-- <title>hidden</title> --><title>shown</title>', 'shown', ''],
    ['<script>"<title>hidden</title>"</script><title>shown</title>', 'shown', ''],
    ['<svg><title>icon</title></svg><title>shown</title>', 'shown', ''],
    ['<svg/><title>shown</title>', 'shown', ''],
    ['<svg><svg></svg><title>icon</title></svg><title>shown</title>', 'shown', ''],
    ['<template><meta name=description content=no></template><title>shown</title>', 'shown', ''],
    [
      '<title>Fish &amp; &Eacute;t&eacute; &#233;&#xE9; &#150; &hearts; &unheard; &amp;lt;</title>',
      'Fish & Été éé – ♥ &unheard; &lt;',
      '',
    ],
    ['<meta name=description content="?a=1&copy=2&amp;b" content="second"><title>t</title>', 't', '?a=1&copy=2&b'],
    ['<style>a>b{}</style><title>shown</title>', 'shown', ''],
    ['<div data-x="<title>hidden</title>"><title>shown</title>', 'shown', ''],
    [`<p title=it's><title>shown</title>`, 'shown', ''],
    ['<title>1 < 2 and <b>bold</b></title>', '1 < 2 and <b>bold</b>', ''],
    ['<title>cut off', 'cut off', ''],
    ['<meta name="description" content="cut off', '', ''],
    ['<titlebar>no</titlebar>', '', ''],
    ['', '', ''],
    ['plain text', '', ''],
  ])('reads %j', (html, title, description) => {
    expect(readPageHead(html)).toEqual({ title, description });
  });

  it('ends on any markup', () => {
    const parts = [
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '!--',
      '-->',
      'meta ',
      'title',
      'script',
      'content',
      ' ',
      'x',
      '&amp;',
    ];
    assert(
      property(array(constantFrom(...parts), { maxLength: 60 }), (words) => {
        const { title, description } = readPageHead(words.join(''));
        expect(`${title}${description}`).toBe(`${title}${description}`.trim());
      }),
    );
  });
});

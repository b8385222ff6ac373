import { describe, expect, it } from '@jest/globals';
import { inertText, onOneLine } from '../../../../src/platform/mail/header-text.js';

describe('A text on one line', () => {
  it.each([
    ['Hello\r\nBcc: eve@example.com', 'Hello Bcc: eve@example.com'],
    ['one\u2028two\u2029three\u0085four', 'one two three four'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['a\0b\tc', 'a b c'],
    ['  blanks \n ', 'blanks'],
  ])('of %j is %j', (text, line) => {
    expect(onOneLine(text, 100)).toBe(line);
  });

  it('is cut only between characters', () => {
    expect(onOneLine('abc😀def', 5)).toBe('abc…');
  });
});

describe("A stranger's text", () => {
  it.each(['https://evil.example/x', 'eve@evil.example', 'evil。example', '\\\\evil\\share'])(
    'has nothing that becomes a link: %s',
    (text) => expect(inertText(text, 100)).not.toMatch(/[.:@/\\。]\S/),
  );
});

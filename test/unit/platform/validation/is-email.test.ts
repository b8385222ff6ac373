import { describe, expect, it } from '@jest/globals';
import addFormatsModule from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { isEmail } from '../../../../src/platform/validation/is-email.js';
import { anyText } from '../../../support/any-text.js';

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020, options?: object) => void;

/** JSON Schema's `format: email` as ajv reads it. */
function formatOf(mode: 'fast' | 'full'): (text: string) => boolean {
  const ajv = new Ajv2020();
  addFormats(ajv, { mode });
  return ajv.compile({ type: 'string', format: 'email' });
}
const formats = [formatOf('full'), formatOf('fast')];
const isFormat = (text: string) => formats.every((format) => format(text));

const piece = fc.oneof(
  anyText({ maxLength: 3 }),
  fc.constantFrom(...'aZ09.-_+!#$%&\'*/=?^`{|}~"@ ()<>[]:;,\\', '\u200b', '\u00e9', '\u0430', '\u{1f600}'),
  fc.stringMatching(/^[a-z0-9]{1,70}$/),
);
const almost = fc
  .tuple(
    fc.array(piece, { maxLength: 5 }),
    fc.array(piece, { maxLength: 5 }),
    fc.constantFrom('com', 'example', 'xn--p1ai', 'c', '12'),
  )
  .map(([local, host, end]) => `${local.join('')}@${host.join('')}.${end}`);

describe('isEmail', () => {
  it('takes nothing that `format: email` of JSON Schema does not', () => {
    fc.assert(
      fc.property(fc.oneof(almost, fc.emailAddress(), anyText()), (text) => !isEmail(text) || isFormat(text)),
      { numRuns: 5_000 },
    );
  });

  it('takes what it does, at hosts that there can be', () => {
    const atoms = fc.array(fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,10}$/), { minLength: 1, maxLength: 5 });
    const hosts = fc.array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/), { minLength: 1, maxLength: 4 });
    const address = fc.tuple(atoms, hosts).map(([local, host]) => `${local.join('.')}@${host.join('.')}.example`);
    fc.assert(fc.property(address, (text) => isEmail(text) === isFormat(text) && isEmail(text)));
  });

  it.each([
    'maria\u200b@example.com',
    '\u200bmaria@example.com',
    'maria@exam\u200bple.com',
    '"maria santos"@example.com',
    'm\u00e4ria@example.com',
    'maria@ex\u00e4mple.com',
    '.maria@example.com',
    'maria..s@example.com',
    'maria@[203.0.113.7]',
    'Maria <maria@example.com>',
    'maria@localhost',
    `${'m'.repeat(65)}@example.com`,
    `maria@${'m'.repeat(64)}.example`,
  ])('refuses %j', (text) => expect(isEmail(text)).toBe(false));
});

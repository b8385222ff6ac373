import { windows1252Character } from './windows-1252.js';

/** The named characters of Latin-1, in the order of their code points from 160 on (HTML 4.01, section 24.2.1). */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

/** Of the others, those that stand in titles and descriptions. */
const others = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  hellip: '…',
  bull: '•',
  euro: '€',
  trade: '™',
  dagger: '†',
  permil: '‰',
  prime: '′',
  minus: '−',
  rarr: '→',
  larr: '←',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '\u{200C}',
  zwj: '\u{200D}',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
};

const named = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...Object.entries(others),
]);

const replacement = '\u{FFFD}';

/** The character that a number means (HTML Standard, section 13.2.5.80): what Windows meant by the C1 controls, too. */
function numbered(code: number): string {
  if (code === 0 || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) return replacement;
  if (code >= 0x80 && code <= 0x9f) return windows1252Character(code);
  return String.fromCodePoint(code);
}

/** HTML's text with its character references decoded; names beyond the usual ones are left as they are. */
export function decodeEntities(html: string): string {
  return html.replace(/&(?:#x([0-9a-f]{1,8});?|#(\d{1,9});?|([a-z][a-z0-9]{1,30});)/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return numbered(Number.parseInt(String(hex), 16));
    if (decimal !== undefined) return numbered(Number(decimal));
    return named.get(String(name)) ?? whole;
  });
}

// Makes the fonts of the console of Inter: `npm run fonts -w packages/console`. With --check it only says whether they are so.
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const from = (name) => readFileSync(new URL(import.meta.resolve(`@fontsource-variable/inter/files/${name}.woff2`)));
const between = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');

/** What English and German are written with: on each page. `src/fonts/inter.css` has the same ranges. */
const usual = `${between(0x20, 0x7e)}${between(0xa0, 0xa0)}§«°±·»ÄÖ×Üßäöü–—‘’‚“”„•…€−`;
const fonts = [
  ['inter', 'inter-latin-wght-normal', usual],
  // Names in other languages: a browser loads these where it shows such a name.
  ['inter-latin-1', 'inter-latin-wght-normal', [...between(0xa1, 0xff)].filter((one) => !usual.includes(one)).join('')],
  ['inter-latin-extended', 'inter-latin-ext-wght-normal', `${between(0x100, 0x17f)}${between(0x218, 0x21b)}ẞ`],
];
const options = {
  targetFormat: 'woff2',
  // Kerning, and figures of one width, which stand below each other in tables.
  keepFeatures: ['kern', 'tnum'],
  noHinting: true,
  variationAxes: { wght: { min: 400, max: 600 } },
};

const isCheck = process.argv.includes('--check');
for (const [name, source, text] of fonts) {
  const made = await subsetFont(from(source), text, options);
  const file = new URL(`src/fonts/${name}.woff2`, import.meta.url);
  if (!isCheck) writeFileSync(file, made);
  else if (!made.equals(readFileSync(file))) {
    console.error(`src/fonts/${name}.woff2 is not what this makes: npm run fonts -w packages/console`);
    process.exitCode = 1;
  }
}

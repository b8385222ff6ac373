// Makes the fonts of the console of Inter: `npm run fonts -w packages/console`. With --check it only says whether they are so.
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const between = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');

const figures = between(0x30, 0x39);
/** What English and German are written with: on each page. `src/fonts/inter.css` has the same ranges. */
const usual = `${between(0x20, 0x7e)}${between(0xa0, 0xa0)}§«°±·»ÄÖ×Üßäöü–—‘’‚“”„•…€−`;
const without = (text, others) => [...text].filter((one) => !others.includes(one)).join('');
const latin = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const extended = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2');
const fonts = [
  { name: 'inter', source: latin, text: without(usual, figures), keepFeatures: ['kern'] },
  // By themselves: figures of one width stand below each other in tables, but hyphens of one width tear words apart.
  { name: 'inter-figures', source: latin, text: figures, keepFeatures: ['tnum'] },
  // Names in other languages: a browser loads these where it shows such a name.
  { name: 'inter-latin-1', source: latin, text: without(between(0xa1, 0xff), usual), keepFeatures: ['kern'] },
  {
    name: 'inter-latin-extended',
    source: extended,
    text: `${between(0x100, 0x17f)}${between(0x218, 0x21b)}ẞ`,
    keepFeatures: ['kern'],
  },
];
const weights = { wght: { min: 400, max: 600 } };

const isCheck = process.argv.includes('--check');
for (const { name, source, text, keepFeatures } of fonts) {
  const options = { targetFormat: 'woff2', keepFeatures, noHinting: true, variationAxes: weights };
  const made = await subsetFont(readFileSync(new URL(source)), text, options);
  const file = new URL(`src/fonts/${name}.woff2`, import.meta.url);
  if (!isCheck) writeFileSync(file, made);
  else if (!made.equals(readFileSync(file))) {
    console.error(`src/fonts/${name}.woff2 is not what this makes: npm run fonts -w packages/console`);
    process.exitCode = 1;
  }
}

// Builds the console into dist, with a brotli and a gzip form of each file: `npm run build -w packages/console`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const output = fileURLToPath(new URL('dist/', import.meta.url));
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

async function compress(file) {
  const content = readFileSync(file);
  const forms = [
    ['.br', await promisify(brotliCompress)(content, brotli)],
    ['.gz', await promisify(gzip)(content, { level: 9 })],
  ];
  for (const [ending, form] of forms) if (form.length < content.length) writeFileSync(file + ending, form);
}

process.env.NODE_ENV = 'production'; // whatever runs this: otherwise the console carries more, for developers
await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(js|css|html|svg)$/.test(name),
);
await Promise.all(files.map((name) => compress(join(output, name))));

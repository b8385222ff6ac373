// Rewrites the list of migrations in src/database/data-source-options.ts: every file of the folder with a timestamp, in order.
// The service is bundled, so it cannot look into a folder when it starts.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

export const migrationsFolder = 'src/database/migrations';
const list = 'src/database/data-source-options.ts';

async function formatted(path, text) {
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

async function classOf(file) {
  const path = `${migrationsFolder}/${file}`;
  const text = await readFile(path, 'utf8');
  const tidy = await formatted(path, text);
  if (tidy !== text) await writeFile(path, tidy);
  return /export class (\w+)/.exec(text)[1];
}

/** Lists all migrations, and formats those that TypeORM wrote. */
export async function listMigrations() {
  const files = (await readdir(migrationsFolder)).filter((file) => /^\d+-.*\.ts$/.test(file)).sort();
  const found = [];
  for (const file of files) found.push({ file, name: await classOf(file) });
  const imports = found.map(
    ({ file, name }) => `import { ${name} } from './migrations/${file.replace(/\.ts$/, '.js')}';`,
  );
  const text = await readFile(list, 'utf8');
  const rest = text.replace(/^import \{ \w+ \} from '\.\/migrations\/.*\n/gm, '');
  const end = rest.lastIndexOf("';\n", rest.indexOf('const migrations = [')) + 3;
  const listed = `${rest.slice(0, end)}${imports.join('\n')}\n${rest.slice(end)}`.replace(
    /const migrations = \[[^\]]*\];/,
    `const migrations = [${found.map(({ name }) => name).join(', ')}];`,
  );
  await writeFile(list, await formatted(list, listed));
}

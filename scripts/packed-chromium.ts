import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright, type LaunchOptions } from 'playwright-core';

const run = promisify(execFile);
const ownFonts = '/etc/fonts/fonts.conf';
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
const unpack = `require(${JSON.stringify(entry)}).executablePath()`;

/** The version of the package, so that an update is unpacked anew. */
function versionOf(): string {
  const manifest = readFileSync(join(entry, '../../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/**
 * The folder of the packed Chromium, unpacked once: aside, then renamed, since several processes may start it for the
 * first time at once, and one that is killed must not leave half of it. Beside its package: whoever can write there
 * could as well have replaced that.
 */
async function unpacked(version: string): Promise<string> {
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await run(process.execPath, ['-e', unpack], { env: { ...process.env, TMPDIR: draft } });
    const fonts = join(draft, 'fonts/fonts.conf');
    await writeFile(fonts, (await readFile(fonts, 'utf8')).replaceAll('/tmp/', `${folder}/`));
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

interface Launch {
  /** Which options of the packed Chromium are omitted. */
  leftOut: RegExp;
  /** Further options, of any Chromium. */
  more?: string[];
}

/** Starts a real browser: the machine's own if `CHROME_PATH` gives its path, else the packed Chromium (Linux, x64). */
export async function launchBrowser({ leftOut, more = [] }: Launch): Promise<Browser> {
  const own = process.env['CHROME_PATH'];
  if (own) return playwright.launch({ executablePath: own, args: ['--no-sandbox', ...more] });
  chromium.setGraphicsMode = false;
  const folder = await unpacked(versionOf());
  const options: LaunchOptions = {
    executablePath: join(folder, 'chromium'),
    args: [...chromium.args.filter((argument) => !leftOut.test(argument)), ...more],
    // The packed fonts have no symbols: only for a machine that has none of its own.
    env: { ...process.env, ...(!existsSync(ownFonts) && { FONTCONFIG_PATH: join(folder, 'fonts') }) },
    headless: true,
  };
  // The packed Chromium sometimes dies of a segmentation fault while it starts: a second one starts.
  return playwright.launch(options).catch(() => playwright.launch(options));
}

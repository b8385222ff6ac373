import { spawn } from 'node:child_process';
import { type GivenKind, resolveId, resolveIds } from '../api/ids.js';
import type { Context } from './context.js';

/** The page of the console that shows one thing; `{id}` stands for its id. */
export interface PageOfOne {
  kind: GivenKind;
  path: string;
}

/** Options that say how to print, and no filter of a page. */
const notFilters = new Set(['web', 'limit', 'all', 'short', 'output', 'json', 'jq', 'view']);

/** Options for ids, with what their ids are of: the console's filters have these names in the plural. */
const idKinds: Record<string, GivenKind> = {
  profileId: 'PROFILE',
  scanId: 'SCAN',
  assetId: 'ASSET',
  tagId: 'TAG',
};

/** The command that opens an address in a browser; null where there is none, as on a server. */
function opener({ env, platform, stdout }: Context['surroundings']): [command: string, args: string[]] | null {
  if (stdout.isTTY !== true) return null;
  if (env['BROWSER']) return [env['BROWSER'], []];
  if (platform === 'darwin') return ['open', []];
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler']];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', []] : null;
}

function opens([command, args]: [command: string, args: string[]], address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

/** Pages name the organization, so that they show the same to a user who belongs to several. */
async function organizationOf({ api }: Context): Promise<string | null> {
  try {
    return (await api.organizations.current()).data.id;
  } catch {
    return null;
  }
}

async function show(context: Context, path: string, query: Record<string, string>): Promise<void> {
  const url = new URL(`${context.access.address}/console/${path}`);
  const organization = await organizationOf(context);
  if (organization !== null) url.searchParams.set('organization', organization);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const command = opener(context.surroundings);
  if (command && (await opens(command, url.href))) context.notify(`Opening ${url.href}`);
  else await context.output.write(`${url.href}\n`);
}

/** One filter of a list, as the console names and writes it. */
async function filterOf({ api }: Context, name: string, value: unknown): Promise<[string, string][]> {
  const kind = idKinds[name];
  if (kind) return [[`${name}s`, ((await resolveIds(api, kind, value as string[])) ?? []).join(',')]];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (!['string', 'number', 'boolean'].includes(typeof value)) return [];
  return [[name === 'asset' ? 'assetName' : name, String(value)]];
}

/** The filter and order of a saved view. */
async function ofView(context: Context, { view }: { view?: string }): Promise<object> {
  if (view === undefined) return {};
  const { filter, sort } = await (await import('./view-actions.js')).viewNamed(context, view);
  return { ...filter, sort };
}

/** Opens the page of a list with the filters that it has too, or prints its address. */
export async function openPage(context: Context, path: string, options: object): Promise<void> {
  const given = Object.entries(options).filter(([name]) => !notFilters.has(name));
  const named = { ...(await ofView(context, options)), ...Object.fromEntries(given) };
  const filters = await Promise.all(Object.entries(named).map(([name, value]) => filterOf(context, name, value)));
  await show(context, path, Object.fromEntries(filters.flat()));
}

/** Opens the page of one thing, or prints its address. */
export async function openPageOf(context: Context, { kind, path }: PageOfOne, given: string): Promise<void> {
  const id = await resolveId(context.api, kind, given);
  const [screen = '', search = ''] = path.replace('{id}', id).split('?');
  await show(context, screen, Object.fromEntries(new URLSearchParams(search)));
}

import { contextInUse, contextNames, removeContext, useContext } from '../api/contexts.js';
import { readCredentials } from '../api/credentials-file.js';
import { printJson } from '../output/json.js';
import { type Column, Table } from '../output/table.js';
import type { Context } from './context.js';
import type { OutputFormat } from './options.js';

interface Kept {
  name: string;
  address: string;
  inUse: boolean;
}

const columns: readonly Column<Kept>[] = [
  { head: 'IN USE', value: ({ inUse }) => (inUse ? '*' : ''), width: 6, least: 6 },
  { head: 'NAME', value: ({ name }) => name, width: 20, least: 8 },
  { head: 'ADDRESS', value: ({ address }) => address, width: 40, least: 20 },
];

/** `contexts list`. */
export async function listContexts(context: Context, format: OutputFormat): Promise<void> {
  const { output, notify, surroundings, contextName } = context;
  const used = contextInUse(surroundings, contextName);
  const kept = contextNames(surroundings).flatMap((name): Kept[] => {
    const credentials = readCredentials(surroundings, notify, name);
    return credentials ? [{ name, address: credentials.address, inUse: name === used }] : [];
  });
  if (format === 'json') return printJson(output, kept);
  await new Table(output, columns).print(kept);
  if (kept.length === 0) notify('No key is kept: store login keeps one');
  warnOfEnvironment(context);
}

/** `contexts use`. */
export function chooseContext(context: Context, name: string): void {
  useContext(context.surroundings, name);
  context.notify(`Commands use the context ${name} from now on`);
  warnOfEnvironment(context);
}

/** `contexts remove`. */
export function forgetContext({ surroundings, notify }: Context, name: string): void {
  const file = removeContext(surroundings, name);
  notify(`${file} is deleted. The key itself goes on until an admin revokes it: store keys revoke`);
}

function warnOfEnvironment({ surroundings: { env }, notify }: Context): void {
  const winners = ['STORE_API_KEY', 'STORE_CONTEXT'].filter((name) => env[name]);
  if (winners.length > 0) notify(`${winners.join(' and ')} win${winners.length === 1 ? 's' : ''} over that choice`);
}

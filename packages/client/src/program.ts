import { Command } from 'commander';
import type { Open } from './commands/context.js';
import type { Surroundings } from './surroundings.js';
import { clientVersion } from './version.js';

const about = `
Environment:
  STORE_API_URL  the address of the service (default: http://127.0.0.1:3000)
  STORE_API_KEY  an API key of your organization; wins over that of store login
  STORE_CONTEXT  the name of a kept key (store login --name), as --context
  STORE_SHOP_KEY a key of the shop, or an admin's access token, for store shop
  STORE_WEBHOOK_SECRET  the secret that webhooks listen and verify check by
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY  a proxy on the way, and for whom there is none
  NODE_EXTRA_CA_CERTS  the authority (PEM) of a certificate that your company signed
  NO_COLOR       if set, nothing is colored

--context NAME may stand before or after a command, and wins over the variables.
An id may be given by its first 8 or more characters; latest is the newest one.

Exit codes:
  0  all went well
  1  the service refused or failed, or could not be reached
  2  the command was not understood
  3  not authenticated, or not allowed
  4  not found
  5  the scan that was watched failed or was canceled
  6  the findings of an import do not pass its gate (--fail-on, --policy)

Examples:
  store login
  store events list --levels ERROR,WARNING --since 24h
  store events get latest
  store scans import results.sarif
  store issues list --json id,name,severity --jq '.[].name'
  store events list --help`;

interface Part {
  name: string;
  alias?: string;
  summary: string;
  /** Loads the code that adds its options, or its own commands. */
  load: () => Promise<(command: Command, open: Open) => void>;
}

const parts: readonly Part[] = [
  {
    name: 'events',
    alias: 'event',
    summary: 'Read the events of scans: what they tested, found and ran into.',
    load: async () => (await import('./commands/events.js')).addEvents,
  },
  {
    name: 'scans',
    alias: 'scan',
    summary: 'Read, watch and cancel scans, and import reports as scans.',
    load: async () => (await import('./commands/scans.js')).addScans,
  },
  {
    name: 'issues',
    alias: 'issue',
    summary: 'Read what scans found, and say what it is.',
    load: async () => (await import('./commands/issues.js')).addIssues,
  },
  {
    name: 'views',
    alias: 'view',
    summary: 'Read, save and delete the saved filters of issues.',
    load: async () => (await import('./commands/views.js')).addViews,
  },
  {
    name: 'assets',
    alias: 'asset',
    summary: 'Read, make and change what is scanned: services, sites, hosts, repositories.',
    load: async () => (await import('./commands/assets.js')).addAssets,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: 'Read, make and change the profiles of scans.',
    load: async () => (await import('./commands/profiles.js')).addProfiles,
  },
  {
    name: 'branches',
    alias: 'branch',
    summary: 'Read the branches that were scanned, and close those that were merged or deleted.',
    load: async () => (await import('./commands/branches.js')).addBranches,
  },
  {
    name: 'locations',
    alias: 'location',
    summary: 'Read, make and change from where scans are run.',
    load: async () => (await import('./commands/locations.js')).addLocations,
  },
  {
    name: 'tags',
    alias: 'tag',
    summary: 'Read, make and change the tags of assets.',
    load: async () => (await import('./commands/tags.js')).addTags,
  },
  {
    name: 'integrations',
    alias: 'integration',
    summary: 'Read, make and change the integrations with other systems.',
    load: async () => (await import('./commands/integrations.js')).addIntegrations,
  },
  {
    name: 'workflows',
    alias: 'workflow',
    summary: 'Read, make, change, test and run workflows.',
    load: async () => (await import('./commands/workflows.js')).addWorkflows,
  },
  {
    name: 'deliveries',
    alias: 'delivery',
    summary: 'Read what workflows sent, and send it again.',
    load: async () => (await import('./commands/deliveries.js')).addDeliveries,
  },
  {
    name: 'webhooks',
    alias: 'webhook',
    summary: 'Receive webhooks on this machine, and check their signatures.',
    load: async () => (await import('./commands/webhooks.js')).addWebhooks,
  },
  {
    name: 'keys',
    alias: 'key',
    summary: 'Read, make and revoke API keys.',
    load: async () => (await import('./commands/keys.js')).addKeys,
  },
  {
    name: 'members',
    alias: 'member',
    summary: 'Read, invite, change and remove the members of the organization.',
    load: async () => (await import('./commands/members.js')).addMembers,
  },
  {
    name: 'organization',
    alias: 'org',
    summary: 'Read and change the organization, and read its audit log.',
    load: async () => (await import('./commands/organization-commands.js')).addOrganization,
  },
  {
    name: 'shop',
    summary: 'Read, ship and refund the orders of the shop; write its catalog to a file and read it from one.',
    load: async () => (await import('./commands/shop.js')).addShop,
  },
  {
    name: 'login',
    summary: 'Keep an API key for this user, one that you have or one that is made now.',
    load: async () => (await import('./commands/account.js')).configureLogin,
  },
  {
    name: 'logout',
    summary: 'Forget the API key that is kept.',
    load: async () => (await import('./commands/account.js')).configureLogout,
  },
  {
    name: 'whoami',
    summary: 'Show whom the API key acts for, and where.',
    load: async () => (await import('./commands/account.js')).configureWhoami,
  },
  {
    name: 'contexts',
    alias: 'context',
    summary: 'List the keys that are kept by name, choose one, or forget one.',
    load: async () => (await import('./commands/contexts.js')).addContexts,
  },
  {
    name: 'api',
    summary: 'Send any request to the service, with your key, and print the answer.',
    load: async () => (await import('./commands/api.js')).configureApi,
  },
  {
    name: 'doctor',
    summary: 'Examine the way to the service: address, proxy, certificate, clock and key.',
    load: async () => (await import('./commands/diagnosis.js')).configureDoctor,
  },
  {
    name: 'mcp',
    summary: 'Serve issues, scans and triage to an assistant (Model Context Protocol).',
    load: async () => (await import('./commands/mcp.js')).configureMcp,
  },
  {
    name: 'completion',
    summary: 'Print what completes commands in bash, zsh or fish.',
    load: async () => (await import('./commands/completion.js')).configureCompletion,
  },
];

/** The command that a command line is about: its first word, or with `help` the next one. */
function subjectOf(args: readonly string[]): string | undefined {
  const words = args.filter((arg, at) => !arg.startsWith('-') && args[at - 1] !== '--context');
  return words[0] === 'help' ? words[1] : words[0];
}

function rootCommand({ stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>): Command {
  return new Command('store')
    .description('Scans, their events and issues, and workflows of Store Service, on the command line.')
    .version(`store ${clientVersion}`, '-V, --version', 'print the version of the client')
    .option('--context <name>', 'use the key that is kept by this name, and its address')
    .exitOverride()
    .showHelpAfterError('Add --help to see how the command is used.')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => (stdout.isTTY && stdout.columns) || 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (message, write) => write(message.replace(/^error: /, 'store: ')),
    })
    .addHelpText('after', about);
}

/**
 * The commands with their options and help. Commands other than the one on the command line are only named, so that the client
 * starts fast; without a command line, or for completion, all are loaded. The code of a command is loaded when it runs.
 */
export async function storeProgram(
  surroundings: Pick<Surroundings, 'stdout' | 'stderr'>,
  open: Open,
  args?: readonly string[],
): Promise<Command> {
  const store = rootCommand(surroundings);
  const subject = args && subjectOf(args);
  const isWhole = args === undefined || subject === 'completion';
  for (const { name, alias, summary, load } of parts) {
    const command = store.command(name).description(summary);
    if (alias !== undefined) command.alias(alias);
    const isMeant = isWhole || subject === name || (alias !== undefined && subject === alias);
    if (!isMeant) continue;
    (await load())(command, open);
    (await import('./commands/json-options.js')).addJsonOptions(command);
  }
  return store;
}

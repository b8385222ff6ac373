import { StartError } from '../config/start-error.js';

export const usage = `Usage: npm start -- [COMMAND]     (of the package: npx store-service [COMMAND]; of a built service: node dist/src/main.js [COMMAND])

Without a command, it runs the service until Ctrl-C. Settings come from the environment and from .env; the file
.env.example lists them.

  --check                                prints how the service is: database, queue, mail, disk, backups and more
  --doctor                               prints the same, and sends a mail and a sample to each webhook of the shop
  --backup [FILE]                        writes a backup of all data, also while the service runs; without FILE, to BACKUP_TO
  --restore FILE|latest [--replace]      replaces the data with those of a backup; latest is the newest at BACKUP_TO
  --storage-move [--dry-run]             moves uploads from the disk to STORAGE_URL
  --distribute [--dry-run] [--shards N]  spreads events over the servers of a Citus cluster
  --rotate-keys                          encrypts with the first ENCRYPTION_KEY what older ones encrypted
  --ephemeral [--ready-file FILE]        runs the service for tests: own data, or an empty database in DATABASE_URL, gone
                                         at the end; FILE then says where it is
  --demo-reset                           resets the demo data to the first day
  --help                                 prints this
`;

const options = new Set(usage.match(/--[a-z][a-z-]*/g));
/** Options that a value follows. */
const withValue = new Set(['--backup', '--restore', '--shards', '--ready-file']);

/** Throws `StartError` for an argument that no command has: a mistyped one must not start the service. */
export function checkArguments(args: readonly string[]): void {
  const stray = args.find((argument, index) =>
    argument.startsWith('-') ? !options.has(argument) : !withValue.has(args[index - 1] ?? ''),
  );
  if (stray !== undefined) throw new StartError(`"${stray}" is not a command of the service: see npm start -- --help`);
  if (args.includes('--ready-file') && !args.includes('--ephemeral')) {
    throw new StartError('--ready-file goes with --ephemeral: see npm start -- --help');
  }
}

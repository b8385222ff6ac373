import type { Environment } from '../../config/environment-reader.js';
import { loadSettings } from '../../config/settings.js';
import { StartError } from '../../config/start-error.js';
import { isDatabaseAway } from '../../platform/errors/database-errors.js';
import { DistributionRepository } from './distribution.repository.js';
import { spreadScans } from './spread-scans.js';

// Unspecified: enough for eight servers of eight cores; Citus can split a shard later.
const defaultShards = 64;
const mostShards = 1_024;

function shardsOf(args: string[]): number {
  const at = args.indexOf('--shards');
  if (at < 0) return defaultShards;
  const shards = Number(args[at + 1]);
  if (Number.isInteger(shards) && shards >= 1 && shards <= mostShards) return shards;
  throw new StartError(`--shards takes the number of shards: a whole number from 1 to ${mostShards}`);
}

/** The message of PostgreSQL or Citus, with its hint; our own errors as they are. */
function sentenceOf(error: unknown): unknown {
  const { severity, message, hint } = error as { severity?: string; message?: string; hint?: string };
  if (isDatabaseAway(error)) return new StartError(`The database cannot be reached: ${message}`);
  if (severity === undefined) return error;
  return new StartError(`The database refused: ${[message, hint].filter(Boolean).join('. ')}`);
}

/** Distributes the largest tables of the scanning wing over the servers of Citus, or says what it would do. */
export async function distribute(environment: Environment, args: string[]): Promise<void> {
  const { databaseUrl, databaseUrlDirect } = loadSettings(environment);
  const url = databaseUrlDirect ?? databaseUrl;
  const shards = shardsOf(args);
  if (url === undefined) {
    throw new StartError('Set DATABASE_URL to the coordinator of your Citus cluster: the embedded server has no Citus');
  }
  const opened: DistributionRepository[] = [];
  const open = async (): Promise<DistributionRepository> => {
    const repository = await DistributionRepository.open(url);
    opened.push(repository);
    return repository;
  };
  try {
    const [isDry, log] = [args.includes('--dry-run'), (line: string) => console.log(line)];
    await spreadScans({ repository: await open(), watch: await open(), shards, isDry, log });
  } catch (error) {
    throw sentenceOf(error);
  } finally {
    await Promise.all(opened.map((repository) => repository.close()));
  }
}

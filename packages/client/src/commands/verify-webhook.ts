import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { exitCodes, Failure } from '../failure.js';
import { keyOf, signatureFault } from '../webhooks/signature.js';
import type { Context } from './context.js';

export interface VerifyOptions {
  header?: string[];
  tolerance: number;
}

/** The key in STORE_WEBHOOK_SECRET; null if it is not set. */
export function keyOfEnvironment({ STORE_WEBHOOK_SECRET: secret }: NodeJS.ProcessEnv): Buffer | null {
  if (!secret?.trim()) return null;
  const key = keyOf(secret.trim());
  if (key) return key;
  throw new Failure('STORE_WEBHOOK_SECRET is no secret: it looks like whsec_ and base64', exitCodes.usage);
}

function nameAndValue(header: string): [string, string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()];
}

/** `webhooks verify`. */
export async function verifyWebhook(
  { output, surroundings }: Context,
  file: string,
  options: VerifyOptions,
): Promise<void> {
  const key = keyOfEnvironment(surroundings.env);
  if (!key) throw new Failure('Set STORE_WEBHOOK_SECRET to the secret of the action (whsec_…)', exitCodes.usage);
  const reading = file === '-' ? buffer(surroundings.stdin) : readFile(file);
  const body = await reading.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
  });
  const headers = Object.fromEntries((options.header ?? []).map(nameAndValue));
  const fault = signatureFault(body, headers, key, { toleranceSeconds: options.tolerance });
  if (fault !== null) throw new Failure(`The webhook is not good: ${fault}`);
  await output.write('The signature is good\n');
}

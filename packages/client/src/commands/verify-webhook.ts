import { checkWebhook, isWebhookSecret, type WebhookHeaders, WebhookVerificationError } from '@store-service/sdk';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { exitCodes, Failure } from '../failure.js';
import type { Context } from './context.js';

export interface VerifyOptions {
  header?: string[];
  tolerance: number;
}

/** STORE_WEBHOOK_SECRET; null if it is not set. */
export function secretOfEnvironment({ STORE_WEBHOOK_SECRET: given }: NodeJS.ProcessEnv): string | null {
  const secret = given?.trim();
  if (!secret) return null;
  if (isWebhookSecret(secret)) return secret;
  throw new Failure('STORE_WEBHOOK_SECRET is no secret: it looks like whsec_ and base64', exitCodes.usage);
}

/** Why a webhook was not signed with the secret; null if it was. */
export async function signatureFault(
  body: Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  toleranceSeconds?: number,
): Promise<string | null> {
  try {
    await checkWebhook(body, headers, secret, toleranceSeconds === undefined ? {} : { toleranceSeconds });
    return null;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return error.message.charAt(0).toLowerCase() + error.message.slice(1);
  }
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
  const secret = secretOfEnvironment(surroundings.env);
  if (secret === null)
    throw new Failure('Set STORE_WEBHOOK_SECRET to the secret of the action (whsec_…)', exitCodes.usage);
  const reading = file === '-' ? buffer(surroundings.stdin) : readFile(file);
  const body = await reading.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot read ${file}: ${reason}`, exitCodes.usage);
  });
  const headers = Object.fromEntries((options.header ?? []).map(nameAndValue));
  const fault = await signatureFault(body, headers, secret, options.tolerance);
  if (fault !== null) throw new Failure(`The webhook is not good: ${fault}`);
  await output.write('The signature is good\n');
}

import { resolveId } from '../api/ids.js';
import { harmlessLine } from '../output/harmless.js';
import { type ReceivedWebhook, startReceiver } from '../webhooks/receiver.js';
import { Wiring } from '../webhooks/wiring.js';
import type { Context } from './context.js';
import { secretOfEnvironment, signatureFault } from './verify-webhook.js';

export interface ListenOptions {
  port: number;
  forward?: string;
  workflow?: string;
}

const roots = ['issues', 'assets', 'scans', 'profiles', 'locations', 'integrations'];
const mostIssuesShown = 8;
const forwardMs = 15_000;
/** Headers that belong to one connection, or are set anew. */
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

interface Entry {
  severity?: unknown;
  name?: unknown;
}

function listOf(payload: unknown, root: string): Entry[] {
  const value = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[root] : null;
  return Array.isArray(value) ? (value as Entry[]) : [];
}

function payloadLines(body: Buffer): string[] {
  let payload: unknown;
  try {
    payload = JSON.parse(body.toString('utf8'));
  } catch {
    return ['the body is no JSON'];
  }
  const issues = listOf(payload, 'issues');
  const shown = issues.slice(0, mostIssuesShown).map(({ severity, name }) => `${String(severity)}  ${String(name)}`);
  const rest = issues.length - shown.length;
  return [
    roots.map((root) => `${root} ${listOf(payload, root).length}`).join(', '),
    ...shown,
    ...(rest > 0 ? [`and ${rest} more issues`] : []),
  ];
}

/** Forwards a webhook unchanged; returns the status to respond with, and a text for the user. */
async function forwarded({ headers, body }: ReceivedWebhook, url: string): Promise<[status: number, words: string]> {
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    ownHeaders.has(name) || value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  try {
    const signal = AbortSignal.timeout(forwardMs);
    const answer = await fetch(url, {
      method: 'POST',
      headers: passed,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    });
    await answer.arrayBuffer();
    return [answer.status, `${url} answered ${answer.status}`];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return [502, `${url} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`];
  }
}

/** `webhooks listen`: runs until Ctrl-C. */
export async function listenToWebhooks(
  context: Context,
  { port: wanted, forward, workflow }: ListenOptions,
): Promise<void> {
  const { output, notify, surroundings } = context;
  let secret = secretOfEnvironment(surroundings.env);
  const answer = async (webhook: ReceivedWebhook): Promise<number> => {
    const fault = secret === null ? null : await signatureFault(webhook.body, webhook.headers, secret);
    const good = secret === null ? 'signature not checked' : 'signature good';
    const signature = fault === null ? good : `SIGNATURE WRONG: ${fault}`;
    const [status, words] =
      fault !== null ? [401, 'answered 401'] : forward ? await forwarded(webhook, forward) : [200, 'answered 200'];
    const id = webhook.headers['webhook-id'] ?? '';
    const lines = [
      `POST ${webhook.path}: ${webhook.body.length} bytes, ${signature} ${String(id)}`,
      ...payloadLines(webhook.body),
      words,
    ];
    await output.write(
      `${lines.map((line, at) => `${at === 0 ? '' : '  '}${harmlessLine(line).trimEnd()}`).join('\n')}\n\n`,
    );
    return status;
  };
  const interrupted = new Promise<void>((resolve) => surroundings.onInterrupt(resolve, { lasts: true }));
  const { server, port } = await startReceiver(wanted, answer);
  try {
    if (workflow === undefined) {
      notify(`Listening at http://127.0.0.1:${port}/ until Ctrl-C`);
      await interrupted;
      return;
    }
    const wiring = new Wiring(context.api, await resolveId(context.api, 'WORKFLOW', workflow), port);
    secret = wiring.secret;
    const { name } = await wiring.attach();
    try {
      notify(`The workflow "${name}" sends to http://127.0.0.1:${port}/ too, until Ctrl-C`);
      await interrupted;
    } finally {
      await wiring.detach();
      notify(`The workflow "${name}" is as it was`);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

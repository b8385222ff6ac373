import { createHmac } from 'node:crypto';
import { resolveId } from '../api/ids.js';
import { harmlessLine } from '../output/harmless.js';
import { parseUrl } from '../parse-url.js';
import { type ReceivedWebhook, startReceiver } from '../webhooks/receiver.js';
import { Wiring } from '../webhooks/wiring.js';
import type { Context } from './context.js';
import { secretOfEnvironment, signatureFault } from './verify-webhook.js';

export interface ListenOptions {
  port: number;
  forward?: string;
  workflow?: string;
  events?: string[];
  replay?: number;
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

function payloadOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** What a webhook is about: the type of a shop's event, or each kind of thing that a workflow's payload has. */
function eventsOf(payload: unknown): string[] {
  const { type } = (payload ?? {}) as { type?: unknown };
  return typeof type === 'string' ? [type] : roots.filter((root) => listOf(payload, root).length > 0);
}

/** Whether a filter such as `issues`, `order.paid` or `order.*` names an event. */
function names(filter: string, event: string): boolean {
  return filter.endsWith('*') ? event.startsWith(filter.slice(0, -1)) : event === filter;
}

function payloadLines(payload: unknown): string[] {
  if (payload === undefined) return ['the body is no JSON'];
  const { type } = payload as { type?: unknown };
  if (typeof type === 'string') return [type];
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

/** Receives webhooks: checks, prints and forwards each that the filters name. */
class Listener {
  constructor(
    private readonly output: Context['output'],
    private readonly options: ListenOptions,
    public secret: string | null,
  ) {}

  async answer(webhook: ReceivedWebhook): Promise<number> {
    const { events, forward } = this.options;
    const { body, headers, path } = webhook;
    const fault = this.secret === null ? null : await signatureFault(body, headers, this.secret);
    const payload = payloadOf(body);
    const isMeant = !events || eventsOf(payload).some((event) => events.some((filter) => names(filter, event)));
    if (fault === null && !isMeant) return 200;
    const good = this.secret === null ? 'signature not checked' : 'signature good';
    const signature = fault === null ? good : `SIGNATURE WRONG: ${fault}`;
    const [status, words] =
      fault !== null ? [401, 'answered 401'] : forward ? await forwarded(webhook, forward) : [200, 'answered 200'];
    const lines = [
      `POST ${path}: ${body.length} bytes, ${signature} ${String(headers['webhook-id'] ?? '')}`,
      ...payloadLines(payload),
      words,
    ];
    const text = lines.map((line, at) => `${at === 0 ? '' : '  '}${harmlessLine(line).trimEnd()}`).join('\n');
    await this.output.write(`${text}\n\n`);
    return status;
  }
}

/** Takes the newest past deliveries as if they arrived now, the oldest first: the same bytes, signed anew. */
async function replay({ api, notify }: Context, listener: Listener, workflowId: string | undefined, count: number) {
  const query = { size: count, ...(workflowId !== undefined && { workflowIds: [workflowId] }) };
  const { data } = (await api.deliveries.listAll({ query })).data;
  notify(data.length === 0 ? 'There is no past delivery' : `Past deliveries: ${data.length}`);
  for (const { id, url } of data.toReversed()) {
    const payload = await api.deliveries.payload({ path: { id }, parseAs: 'text' });
    const body = Buffer.from(payload.data as unknown as string);
    const signed = listener.secret === null ? {} : signatureOf(id, body, listener.secret);
    const headers = { 'content-type': 'application/json', 'webhook-id': id, ...signed };
    await listener.answer({ path: parseUrl(url)?.pathname ?? '/', headers, body });
  }
}

/** The headers of Standard Webhooks for a body that is sent now. */
function signatureOf(id: string, body: Buffer, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** `webhooks listen`: runs until Ctrl-C. */
export async function listenToWebhooks(context: Context, options: ListenOptions): Promise<void> {
  const { output, notify, surroundings } = context;
  const listener = new Listener(output, options, secretOfEnvironment(surroundings.env));
  const workflow =
    options.workflow === undefined ? undefined : await resolveId(context.api, 'WORKFLOW', options.workflow);
  const interrupted = new Promise<void>((resolve) => surroundings.onInterrupt(resolve, { lasts: true }));
  const { server, port } = await startReceiver(options.port, (webhook) => listener.answer(webhook));
  const listen = async () => {
    if (options.replay !== undefined) await replay(context, listener, workflow, options.replay);
    await interrupted;
  };
  try {
    if (workflow === undefined) {
      notify(`Listening at http://127.0.0.1:${port}/ until Ctrl-C`);
      return await listen();
    }
    const wiring = new Wiring(context.api, workflow, port);
    listener.secret = wiring.secret;
    const { name } = await wiring.attach();
    try {
      notify(`The workflow "${name}" sends to http://127.0.0.1:${port}/ too, until Ctrl-C`);
      notify(`Until then it signs by this secret: ${wiring.secret}`);
      await listen();
    } finally {
      await wiring.detach();
      notify(`The workflow "${name}" is as it was`);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

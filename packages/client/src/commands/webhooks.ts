import { type Command, InvalidArgumentError } from 'commander';
import type { Open } from './context.js';
import type { ListenOptions } from './listen-webhooks.js';
import { readId } from './options.js';
import { addCommand } from './usual-commands.js';
import type { VerifyOptions } from './verify-webhook.js';
import { parseUrl } from '../parse-url.js';

const secretAdvice = `The secret is that of the action (whsec_…), in STORE_WEBHOOK_SECRET: arguments
are for all users of the machine to read.`;

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}

function readForward(text: string): string {
  if (/^https?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('Give an address such as http://localhost:4000/hook.');
}

function readEvents(text: string, earlier: string[] = []): string[] {
  const events = text.split(',').map((event) => event.trim());
  if (events.every((event) => /^[a-z_.]{1,60}\*?$/.test(event))) return [...earlier, ...events];
  throw new InvalidArgumentError('Give names such as issues, scans, order.paid or order.*, divided by commas.');
}

function readCount(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 100) return count;
  throw new InvalidArgumentError('Give a whole number from 1 to 100.');
}

function readSeconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number of seconds.');
}

function readHeader(text: string, earlier: string[] = []): string[] {
  if (/^[\w-]+\s*:/.test(text)) return [...earlier, text];
  throw new InvalidArgumentError("A header looks like 'webhook-id: 0198'.");
}

function addListen(webhooks: Command, open: Open): void {
  addCommand(webhooks, {
    name: 'listen',
    summary: 'receive webhooks on this machine, print them and pass them on',
    description:
      'Receive webhooks on this machine until Ctrl-C: verify their signature, print them, and pass them on. With ' +
      '--workflow, that workflow sends here too for as long: an action is added to it, and taken away at the end.',
    note: secretAdvice,
    examples: [
      'store webhooks listen --workflow latest --forward http://localhost:4000/hook',
      'store webhooks listen --workflow latest --events issues --replay 5',
      'STORE_WEBHOOK_SECRET=whsec_... store webhooks listen --port 4010',
    ],
  })
    .option('--port <number>', 'where to listen on 127.0.0.1; any that is free if left out', readPort, 0)
    .option('--forward <url>', 'pass each on, and answer what that answers', readForward)
    .option('--workflow <id>', 'the workflow that is to send here', readId)
    .option(
      '--events <names>',
      'take only those with these: issues,scans, or of the shop order.paid, order.*',
      readEvents,
    )
    .option('--replay <number>', 'first take so many past deliveries again, signed anew; for admins', readCount)
    .action(async (options: ListenOptions) => {
      const { listenToWebhooks } = await import('./listen-webhooks.js');
      await listenToWebhooks(await open(), options);
    });
}

function addVerify(webhooks: Command, open: Open): void {
  addCommand(webhooks, {
    name: 'verify',
    summary: 'check the signature of a webhook',
    description: 'Check that a body with its headers was signed by a secret (Standard Webhooks).',
    note: `${secretAdvice}\n\nExit codes: 0 where the signature is good, 1 where it is not.`,
    examples: [
      "store webhooks verify body.json -H 'webhook-id: 0198' \\",
      "  -H 'webhook-timestamp: 1795000000' -H 'webhook-signature: v1,...'",
    ],
  })
    .argument('<file>', 'the body as it came, or - for standard input')
    .option('-H, --header <header>', 'webhook-id, webhook-timestamp and webhook-signature', readHeader)
    .option('--tolerance <seconds>', 'how old it may be', readSeconds, 300)
    .action(async (file: string, options: VerifyOptions) => {
      const { verifyWebhook } = await import('./verify-webhook.js');
      await verifyWebhook(await open(), file, options);
    });
}

export function addWebhooks(webhooks: Command, open: Open): void {
  addListen(webhooks, open);
  addVerify(webhooks, open);
}

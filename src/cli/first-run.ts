import { existsSync } from 'node:fs';
import { localUrl } from '../platform/http/local-url.js';
import type { Settings } from '../config/settings.js';

interface FirstRun {
  settings: Settings;
  port: number;
  data: string;
  generatedPassword: string | undefined;
  apiKey: string | undefined;
  demo: { username: string; password: string } | undefined;
}

/** The address that the client uses by default. */
const usualBase = 'http://127.0.0.1:3000';

/** The command of the client: npx fails in the image, whose packages belong to root, but `store` is installed there. */
export function clientCommand(exists: (path: string) => boolean = existsSync): string {
  return exists('/usr/local/bin/store') && !exists('package-lock.json') ? 'store' : 'npx store';
}

const client = clientCommand();

/** A client command that works as printed. */
export function clientCall(apiKey: string, base = usualBase): string {
  const address = base === usualBase ? '' : `STORE_API_URL=${base} `;
  return `${address}STORE_API_KEY=${apiKey} ${client} events list --limit 5`;
}

const nameWidth = 8;
const indent = 2 + nameWidth + 1;

/** The text for the terminal once the service runs: addresses, logins, and a command to try. */
export function firstRunLines({ settings, port, data, generatedPassword, apiKey, demo }: FirstRun): string {
  const base = localUrl(settings.host, port);
  const admin =
    generatedPassword === undefined
      ? `${settings.adminUsername} (the password was shown at the first start, or set by ADMIN_PASSWORD)`
      : `${settings.adminUsername} / ${generatedPassword}   (generated, shown this once)`;
  const call =
    apiKey === undefined
      ? `${client} --help   (an API key is made by POST /api/v1/organizations/{id}/api-keys)`
      : `${clientCall(apiKey, base)}\n${' '.repeat(indent)}(its key is generated, shown this once)`;
  const lines: [string, string][] = [
    ...(settings.storefront ? [['Shop', `${base}/`] as [string, string]] : []),
    ...(settings.console ? [['Console', `${base}/console/`] as [string, string]] : []),
    ['API', `${base}/api/v1`],
    ...(settings.docs ? [['Docs', `${base}/docs`] as [string, string]] : []),
    ['Data', data],
    ['Admin', admin],
    ...(demo ? [['Shopper', `${demo.username} / ${demo.password}`] as [string, string]] : []),
    ['Try', `curl -s '${base}/api/v1/products/?limit=3'`],
    ['Client', call],
  ];
  const body = lines.map(([name, value]) => `  ${name.padEnd(nameWidth)} ${value}`).join('\n');
  return `\nStore Service is running. Ctrl-C stops it.\n\n${body}\n`;
}

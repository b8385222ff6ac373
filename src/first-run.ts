import type { Settings } from './config/settings.js';

interface FirstRun {
  settings: Settings;
  port: number;
  data: string;
  generatedPassword: string | undefined;
  demo: { username: string; password: string } | undefined;
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** What the terminal says once the service runs: where it is, who may enter, and a call to try. */
export function firstRunLines({ settings, port, data, generatedPassword, demo }: FirstRun): string {
  const base = `http://${reachableHost(settings.host)}:${port}`;
  const admin =
    generatedPassword === undefined
      ? `${settings.adminUsername} (the password was shown at the first start, or set by ADMIN_PASSWORD)`
      : `${settings.adminUsername} / ${generatedPassword}   (generated, shown this once)`;
  const lines: [string, string][] = [
    ['API', `${base}/api/v1`],
    ['Docs', `${base}/docs`],
    ['Data', data],
    ['Admin', admin],
    ...(demo ? [['Shopper', `${demo.username} / ${demo.password}`] as [string, string]] : []),
    ['Try', `curl -s '${base}/api/v1/products/?limit=3'`],
  ];
  const body = lines.map(([name, value]) => `  ${name.padEnd(8)} ${value}`).join('\n');
  return `\nStore Service is running. Ctrl-C stops it.\n\n${body}\n`;
}

/** The address under which this service reaches itself, and its machine's user reaches it. */
export function localUrl(host: string, port: number): string {
  return `http://${reachableHost(host)}:${port}`;
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

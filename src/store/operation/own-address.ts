import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { parseUrl } from '../../config/parse-url.js';

export interface Certificate {
  validTo: Date;
  /** Why clients refuse it; null if they do not. */
  fault: string | null;
}

const patienceMs = 5_000;

/** The certificate at an address of https; null for another address. Rejects where nobody answers. */
export async function certificateAt(address: string): Promise<Certificate | null> {
  const url = parseUrl(address);
  if (url?.protocol !== 'https:') return null;
  const { hostname: host, port } = url;
  const socket: TLSSocket = connect({ host, port: Number(port) || 443, servername: host, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(patienceMs) });
    const { valid_to: until } = socket.getPeerCertificate();
    return { validTo: new Date(until), fault: socket.authorized ? null : String(socket.authorizationError) };
  } finally {
    socket.destroy();
  }
}

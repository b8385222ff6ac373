import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate (X.509 v3, ECDSA with SHA-256) for one host name, by default of this century. */
export function certificateFor(
  host: string,
  { from, until }: { from: string; until: string } = { from: '20200101', until: '20991231' },
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('06082a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('0603550403'), der(0x0c, Buffer.from(host)))));
  const validity = sequence(der(0x18, Buffer.from(`${from}000000Z`)), der(0x18, Buffer.from(`${until}235959Z`)));
  const alternativeName = sequence(oid('0603551d11'), der(0x04, sequence(der(0x82, Buffer.from(host)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]));
  const base64 = sequence(toBeSigned, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

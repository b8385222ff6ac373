import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';

const prefix = 'srt_';
const idBytes = 16;
const secretBytes = 32;
const tagBytes = 16;
const nonceBytes = 12;
const keyBytes = 32;

/**
 * Refresh tokens: `srt_` and, in base64url, the session's id, 256 random bits, and a tag by which this service recognizes its
 * own (HMAC-SHA-256). So it recognizes a token of an earlier generation without keeping it, and a made-up one neither
 * costs a query nor ends a session.
 */
@Injectable()
export class RefreshTokens {
  private readonly key: Buffer;
  private readonly keys: Buffer[];

  constructor({ jwtSecret, jwtSecrets }: Secrets) {
    const keyOf = (secret: string): Buffer => derivedKey(secret, 'tag of refresh tokens');
    this.key = keyOf(jwtSecret);
    this.keys = jwtSecrets.map(keyOf);
  }

  /** A new token of a session. */
  issue(sessionId: string): string {
    const content = Buffer.concat([Buffer.from(sessionId.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)]);
    return prefix + Buffer.concat([content, tagOf(content, this.key)]).toString('base64url');
  }

  /** The session of a token, or null for one that this service did not issue. */
  sessionOf(token: string): string | null {
    if (!token.startsWith(prefix)) return null;
    const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
    if (bytes.length !== idBytes + secretBytes + tagBytes) return null;
    const content = bytes.subarray(0, idBytes + secretBytes);
    const tag = bytes.subarray(idBytes + secretBytes);
    if (!this.keys.some((key) => timingSafeEqual(tag, tagOf(content, key)))) return null;
    const id = content.subarray(0, idBytes).toString('hex');
    return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

function tagOf(content: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, tagBytes);
}

/** A token, sealed so that only its predecessor opens it (AES-256-GCM, key by HKDF-SHA-256, RFC 5869). */
export function sealSuccessor(successor: string, predecessor: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv('aes-256-gcm', sealingKey(predecessor), nonce);
  const sealed = [sealing.update(successor, 'utf8'), sealing.final()];
  return Buffer.concat([nonce, sealing.getAuthTag(), ...sealed]).toString('base64url');
}

/** Opens the result of `sealSuccessor`; throws for another predecessor. */
export function openSuccessor(sealed: string, predecessor: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
  const key = sealingKey(predecessor);
  const opening = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAuthTag(tag);
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
}

function sealingKey(predecessor: string): Buffer {
  return derivedKey(predecessor, 'successor of a refresh token');
}

function derivedKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes));
}

import { masked } from '../../platform/crypto/secret-mask.js';
import { isSecretName, looksSecret } from '../secret-detection.js';

const placeholders = /^(\{\{[^{}]*\}\}|\s)*$/;

type Walk = (text: string, name: string) => string;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapTexts(value: unknown, name: string, change: Walk): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, name, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, key, change)]));
}

function shownText(text: string, name: string): string {
  return !placeholders.test(text) && (isSecretName(name) || looksSecret(text)) ? masked(text) : text;
}

/** The body of a notification as reads show it: texts with the name or the looks of a secret are masked. */
export function maskTemplate(template: object): Record<string, unknown> {
  return mapTexts(template, '', shownText) as Record<string, unknown>;
}

/** The body as sent, with what is stored wherever its mask came back at the same place. */
export function unmaskTemplate(given: unknown, stored: unknown, name = ''): unknown {
  if (typeof given === 'string') {
    return typeof stored === 'string' && given === shownText(stored, name) ? stored : given;
  }
  if (Array.isArray(given)) {
    return given.map((entry, at) => unmaskTemplate(entry, Array.isArray(stored) ? stored[at] : undefined, name));
  }
  if (!isObject(given)) return given;
  const before = new Map(isObject(stored) ? Object.entries(stored) : []);
  return Object.fromEntries(
    Object.entries(given).map(([key, entry]) => [key, unmaskTemplate(entry, before.get(key), key)]),
  );
}

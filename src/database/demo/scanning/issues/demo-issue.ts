import type { DemoCategory, DemoIssueStatus, DemoSeverity } from '../vocabulary.js';

/** Where an issue was found: one kind of detail, and what tells it from other targets. */
export interface DemoTarget {
  uid: string;
  kind: 'apiRoute' | 'codeFile' | 'graphqlResolver' | 'webPage' | 'webCrawledUrl';
  fields: Record<string, unknown>;
}

/** One issue of the demo; `scans` are those that found it, oldest first, and `note` is what people said of it. */
export interface DemoIssue {
  name: string;
  severity: DemoSeverity;
  category: DemoCategory;
  status: DemoIssueStatus;
  test: string;
  asset: string;
  scans: string[];
  context: string;
  targets: DemoTarget[];
  note?: string;
}

export function route(operation: string, name: string, more: Record<string, unknown> = {}): DemoTarget {
  return { uid: `${operation} ${name}`, kind: 'apiRoute', fields: { operation, name, coverage: 'OK', ...more } };
}

export function resolver(parent: string, name: string, more: Record<string, unknown> = {}): DemoTarget {
  return { uid: `${parent}.${name}`, kind: 'graphqlResolver', fields: { parent, name, ...more } };
}

export function file(language: string, path: string): DemoTarget {
  return { uid: path, kind: 'codeFile', fields: { language, path } };
}

export function page(url: string, visits: number): DemoTarget {
  return { uid: url, kind: 'webPage', fields: { url, visits } };
}

export function crawled(url: string): DemoTarget {
  return { uid: url, kind: 'webCrawledUrl', fields: { url } };
}

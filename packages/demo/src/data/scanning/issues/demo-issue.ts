import type { Finding } from '../../../../../../src/scanning/issues/finding-rows.js';
import type { TargetCreate } from '../../../../../../src/scanning/issues/issue-target.dto.js';
import type { ApiRouteOperation, IssueStatus } from '../../../../../../src/scanning/vocabulary.js';

/** One issue of the demo. `scans` found it, oldest first. `note` is what people wrote about it. */
export interface DemoIssue extends Pick<Finding, 'name' | 'severity' | 'category' | 'context' | 'targets'> {
  status: IssueStatus;
  test: string;
  asset: string;
  scans: string[];
  note?: string;
}

type ApiRoute = NonNullable<TargetCreate['apiRoute']>;
type Resolver = NonNullable<TargetCreate['graphqlResolver']>;

export function route(operation: ApiRouteOperation, name: string, more: Partial<ApiRoute> = {}): TargetCreate {
  return { targetUid: `${operation} ${name}`, apiRoute: { operation, name, coverage: 'OK', ...more } };
}

export function resolver(parent: string, name: string, more: Partial<Resolver> = {}): TargetCreate {
  return { targetUid: `${parent}.${name}`, graphqlResolver: { parent, name, ...more } };
}

export function file(language: string, path: string, line: number): TargetCreate {
  return { targetUid: path, codeFile: { language, path, line } };
}

export function page(url: string, visits: number): TargetCreate {
  return { targetUid: url, webPage: { url, visits } };
}

export function crawled(url: string): TargetCreate {
  return { targetUid: url, webCrawledUrl: { url } };
}

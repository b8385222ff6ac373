import type { DemoIssue } from './issues/demo-issue.js';
import { estateIssues } from './issues/estate.js';
import { graphqlIssues } from './issues/graphql.js';
import { restIssues } from './issues/rest.js';
import { webIssues } from './issues/web.js';

/** Every issue of the demo. No two have the same asset and name. */
export const issues: readonly DemoIssue[] = [...restIssues, ...graphqlIssues, ...webIssues, ...estateIssues];

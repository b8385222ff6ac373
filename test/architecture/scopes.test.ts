import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

/** Where an AsyncLocalStorage is made, and why it may cost every promise of the process. */
const reasons: Record<string, string> = {
  'src/common/concurrency/scope.ts': 'scopes turn it off while nobody holds them',
  'src/common/tracing/otel-tracing.ts': 'traces, which are on for all requests or for none',
};

describe('An AsyncLocalStorage', () => {
  it('is made by scopes, or for a reason', () => {
    const made = projectFiles('src', /\.ts$/).filter((path) => projectText(path).includes('new AsyncLocalStorage'));
    expect(made.sort()).toEqual(Object.keys(reasons).sort());
  });
});

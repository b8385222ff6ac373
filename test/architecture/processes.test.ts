import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

const waits = /(?:from|import) '[^']*\/(?:built-service|service-process)\.js'/;

describe('A test that starts the service as a process', () => {
  it('builds it before its hooks, as the build may take longer than they may', () => {
    const files = projectFiles('test', /\.ts$/).filter((file) => /\['scripts\/start\.mjs'/.test(projectText(file)));
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !waits.test(projectText(file)))).toEqual([]);
  });
});

describe('A program of the benchmark', () => {
  it('is spawned so that an interrupted benchmark ends it', () => {
    const spawning = projectFiles('bench', /\.ts$/).filter((file) => /[^.\w]spawn\(/.test(projectText(file)));
    expect(spawning).toEqual(['bench/interruption.ts']);
  });
});

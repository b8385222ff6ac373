import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

describe('packages/sdk/src/generated', () => {
  it('matches the interface description (npm run sdk regenerates it)', async () => {
    const script = ['--disable-warning=ExperimentalWarning', 'scripts/make-sdk.mjs', '--check'];
    const { stdout } = await run(process.execPath, script);
    expect(stdout).toContain('The SDK is what the interface description gives');
  });
});

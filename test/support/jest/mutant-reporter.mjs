// Tells the runner which mutants failed a test, one line each as soon as it is known.
import { appendFileSync } from 'node:fs';

export default class MutantReporter {
  constructor(_config, { file }) {
    this.file = file;
  }

  onTestFileResult({ context }, { numFailingTests, numPassingTests, testExecError, testResults }) {
    const failed = testResults.find(({ status }) => status === 'failed')?.fullName;
    const isKilled = numFailingTests > 0 || Boolean(testExecError);
    const by = failed ?? (testExecError ? 'it does not load' : null);
    const line = { mutant: context.config.displayName.name, isKilled, by, passed: numPassingTests };
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}

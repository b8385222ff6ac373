// Tells the runner which mutants failed a test, one line each as soon as it is known.
import { appendFileSync } from 'node:fs';

export default class MutantReporter {
  constructor(_config, { file }) {
    this.file = file;
  }

  onTestFileResult({ context }, { numFailingTests, numPassingTests, testExecError, testResults }) {
    const failed = testResults.find(({ status }) => status === 'failed')?.fullName;
    const isThrough = !testExecError && numFailingTests === 0 && numPassingTests > 0;
    const by = isThrough ? null : (failed ?? (testExecError ? 'it does not load' : 'none ran'));
    appendFileSync(this.file, `${JSON.stringify({ mutant: context.config.displayName.name, by })}\n`);
  }
}

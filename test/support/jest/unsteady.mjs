/** Names, at the end of a run, the tests that passed at their second try alone (`second-try.ts`). */
export default class Unsteady {
  #names = [];

  onTestResult({ path }, { testResults }) {
    for (const { fullName, invocations, status } of testResults) {
      if (status === 'passed' && invocations > 1) this.#names.push(`${path}: ${fullName}`);
    }
  }

  onRunComplete() {
    if (this.#names.length === 0) return;
    const [failed, names] = [`${this.#names.length} failed at first and passed when tried again`, this.#names];
    process.stderr.write(`\n${failed}; each has a fault to find:\n${names.map((name) => `  ${name}\n`).join('')}`);
  }
}

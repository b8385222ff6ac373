import { afterEach, expect, jest } from '@jest/globals';

// Their files share two cores with processes, browsers and databases of three other files. One that fails is tried once more
// when its file is through; Jest prints the first error ("RETRY 1"), which is a fault to find. What needs no clock gets no
// second try.
if (!/\/test\/(unit|architecture)\/|\/packages\//.test(expect.getState().testPath ?? '')) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
  // `SECOND_TRY=always npm test -- test/faults` fails every first try when it has ended: it shows which tests cannot be tried
  // twice, because they use up what `beforeAll` has made.
  if (process.env['SECOND_TRY'] === 'always') {
    const tried = new Set<string>();
    afterEach(() => {
      const { currentTestName = '' } = expect.getState();
      if (tried.has(currentTestName)) return;
      tried.add(currentTestName);
      throw new Error('This first try counts as failed: SECOND_TRY=always');
    });
  }
}

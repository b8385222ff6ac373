import { expect, jest } from '@jest/globals';

// Their files share two cores with processes, browsers and databases of three other files. One that fails is tried once more
// when its file is through; Jest prints the first error ("RETRY 1"), which is a fault to find. What needs no clock gets no
// second try.
if (!/\/test\/(unit|architecture)\/|\/packages\//.test(expect.getState().testPath ?? '')) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}

import Sequencer from '@jest/test-sequencer';

/** What takes longest, in seconds rather than tenths of them. On a fresh checkout Jest knows no times of its own. */
const slowFirst = [
  'faults/webhook-crashes',
  'reports/bombs',
  'faults/embedded-server',
  'reports/format-bombs',
  'bad-input/random-requests',
  'faults/webhook-receivers',
  'faults/embedded-server-sharing',
  'faults/webhook-payload-size',
  'bad-input/bodies',
  'faults/jobs',
  'uploads/unlucky-uploads',
  'bad-input/blown-up-bodies',
  'faults/checkout-kill',
  'faults/response-cache',
];

const rank = ({ path }) => {
  const place = slowFirst.findIndex(
    (name) => path.endsWith(`test/${name}.test.ts`) || path.endsWith(`test/api/${name}.test.ts`),
  );
  return place === -1 ? slowFirst.length : place;
};

/** Has the two workers end together: the longest files begin first, the others in Jest's order. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}

import Sequencer from '@jest/test-sequencer';

/** The slowest files, the slowest first. On a fresh checkout Jest knows no times of its own. */
const slowFirst = [
  'faults/webhook-crashes',
  'faults/workers',
  'faults/traces',
  'reports/bombs',
  'console/walk',
  'readme/scans-tour',
  'console/bad-luck',
  'faults/embedded-server',
  'faults/webhook-receivers',
  'reports/format-bombs',
  'faults/backup',
  'catalogue/plans',
  'faults/import-kill',
  'bad-input/bodies',
  'faults/jobs',
  'faults/failover',
  'faults/webhook-payload-size',
  'bad-input/random-requests',
  'console/ways',
  'faults/embedded-server-sharing',
  'bad-input/addresses',
  'scan-events/event-followers',
  'faults/checkout-kill',
  'architecture/expressions',
  'webhook-export/preview',
  'faults/mail-kill',
  'uploads/s3-uploads',
  'faults/response-cache',
  'edge/header-bombs',
  'docs/examples',
  'console/orders',
  'bad-input/blown-up-bodies',
  'webhook-export/delivery',
  'client/events-follow',
  'client/scans-watch',
  'webhook-export/cancellation',
  'faults/event-stream-kill',
  'response-cache/dependencies',
  'console/live',
  'unit/store/uploads/pictures/pictures',
  'scan-events/event-partitions',
  'sdk/package',
];

const rank = ({ path }) => {
  const place = slowFirst.findIndex(
    (name) => path.endsWith(`test/${name}.test.ts`) || path.endsWith(`test/api/${name}.test.ts`),
  );
  return place === -1 ? slowFirst.length : place;
};

/** Makes the workers end together: the slowest files begin first, the others in Jest's order. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}

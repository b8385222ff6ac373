// Builds the service, its client and its console into dist/, where `npm start` then finds them as new as their sources.
import { buildAll } from './build-if-stale.mjs';

buildAll();

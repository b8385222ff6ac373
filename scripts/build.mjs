// Builds the console, the service (`nest build`) and the client, where `npm start` then finds them as new as their sources.
import { buildAll } from './build-if-stale.mjs';

buildAll();

import { assets } from './assets.js';
import { events } from './events.js';
import { issues } from './issues.js';
import { overview } from './overview.js';
import { scanning } from './scanning.js';
import { scans } from './scans.js';

/** What the screens of scanning say. */
export const ofScanning = {
  assets,
  events,
  issues,
  overview,
  scanning,
  scans,
};

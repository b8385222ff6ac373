import { assets } from './assets.js';
import { deliveries } from './deliveries.js';
import { events } from './events.js';
import { integrations } from './integrations.js';
import { issues } from './issues.js';
import { organization } from './organization.js';
import { overview } from './overview.js';
import { scanning } from './scanning.js';
import { scans } from './scans.js';
import { workflows } from './workflows.js';

/** What the screens of scanning say. */
export const ofScanning = {
  assets,
  deliveries,
  events,
  integrations,
  issues,
  organization,
  overview,
  scanning,
  scans,
  workflows,
};

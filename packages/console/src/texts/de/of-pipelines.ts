import { deliveries } from './deliveries.js';
import { integrations } from './integrations.js';
import { organization } from './organization.js';
import { workflows } from './workflows.js';

/** What the screens of workflows, their deliveries, integrations and the organization say. */
export const ofPipelines = { deliveries, integrations, organization, workflows };

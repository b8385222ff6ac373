import { operation } from './operation.js';
import { settings } from './settings.js';

/** What the settings of the shop and the operation of the service say. */
export const ofSettings = { operation, settings };

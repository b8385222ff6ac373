import { account } from './account.js';
import { api } from './api.js';
import { common } from './common.js';
import { firstSteps } from './first-steps.js';
import { frame } from './frame.js';
import { names } from './names.js';
import { palette } from './palette.js';
import { parts } from './parts.js';
import { groups, screens } from './screens.js';

/** What every page may say. */
export const ofEverywhere = { account, api, common, firstSteps, frame, groups, names, palette, parts, screens };

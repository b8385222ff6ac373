import { account } from './de/account.js';
import { api } from './de/api.js';
import { common } from './de/common.js';
import { frame } from './de/frame.js';
import { names } from './de/names.js';
import { palette } from './de/palette.js';
import { parts } from './de/parts.js';
import { groups, screens } from './de/screens.js';
import type { Texts } from './texts.js';

export const de: Texts = { account, api, common, frame, groups, names, palette, parts, screens };

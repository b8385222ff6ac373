import { account } from './en/account.js';
import { api } from './en/api.js';
import { common } from './en/common.js';
import { frame } from './en/frame.js';
import { names } from './en/names.js';
import { palette } from './en/palette.js';
import { parts } from './en/parts.js';
import { groups, screens } from './en/screens.js';

export const en = { account, api, common, frame, groups, names, palette, parts, screens };

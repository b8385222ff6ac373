import type { en } from './en.ts';

/** What every language says: as English has it. */
export type Texts = typeof en;

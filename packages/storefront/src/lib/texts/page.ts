import { page } from '$app/state';
import { type Formats, formatsOf } from './formats.ts';
import type { Texts } from './texts.ts';

/** All words of the page that is shown, in its language; `+layout.ts` loads them. */
export const pageTexts = (): Texts => page.data['texts'] as Texts;

/** Writes money, dates and numbers as the page that is shown does. */
export const pageFormats = (): Formats => formatsOf(page.data.language, page.data.shop.currency, page.data.shop.locale);

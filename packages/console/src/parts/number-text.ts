import { locale } from '../texts/locale.js';
import { type NumberBounds, NumberTexts } from './number-texts.js';

const texts = new NumberTexts(locale);

/** What a number field holds as a number; NaN if it is none. */
export const numberOf = (text: string): number => texts.read(text);

/** The text with which a number field begins. */
export const textOf = (value: number | null | undefined, decimals = 0): string => texts.write(value, decimals);

/** Why a number field cannot be saved, or an empty string. */
export const faultOf = (text: string, bounds: NumberBounds): string => texts.fault(text, bounds);

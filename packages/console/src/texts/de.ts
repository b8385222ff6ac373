import { ofEverywhere } from './de/of-everywhere.js';
import { ofScanning } from './de/of-scanning.js';
import { ofShop } from './de/of-shop.js';
import type { Texts } from './texts.js';

export const de: Texts = { ...ofEverywhere, ...ofShop, ...ofScanning };

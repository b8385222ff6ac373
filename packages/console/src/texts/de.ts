import { ofEverywhere } from './de/of-everywhere.js';
import { ofPipelines } from './de/of-pipelines.js';
import { ofScanning } from './de/of-scanning.js';
import { ofSettings } from './de/of-settings.js';
import { ofShop } from './de/of-shop.js';
import type { Texts } from './texts.js';

export const de: Texts = { ...ofEverywhere, ...ofShop, ...ofSettings, ...ofScanning, ...ofPipelines };

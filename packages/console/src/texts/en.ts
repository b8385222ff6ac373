import { ofEverywhere } from './en/of-everywhere.js';
import { ofPipelines } from './en/of-pipelines.js';
import { ofScanning } from './en/of-scanning.js';
import { ofSettings } from './en/of-settings.js';
import { ofShop } from './en/of-shop.js';

/** Everything that the console says. A page loads the parts that it needs. */
export const en = { ...ofEverywhere, ...ofShop, ...ofSettings, ...ofScanning, ...ofPipelines };

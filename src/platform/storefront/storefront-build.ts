import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The module by which the shop front's pages are served, once they are built. */
export const storefrontHandler = new URL('../../../packages/storefront/build/handler.js', import.meta.url);

/** Whether the shop front was built. */
export const isStorefrontBuilt = (): boolean => existsSync(fileURLToPath(storefrontHandler));

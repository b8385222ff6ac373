export { type Options, StoreApi } from './generated/sdk.gen.js';
export { createClient, createConfig } from './generated/client/index.js';
export type * from './generated/types.gen.js';

export { createStoreClient, StoreClient, type StoreClientOptions } from './store-client.js';
export { type RefreshTokenStorage } from './session.js';
export { type RetryOptions } from './retries.js';
export { type FieldError, StoreApiError } from './store-api-error.js';
export { pages } from './pages.js';
export { onUploadProgress, type ProgressListener, type UploadProgress } from './upload-progress.js';
export { verifyWebhook, type VerifyOptions, type WebhookHeaders, WebhookVerificationError } from './webhooks.js';
export { type Options, StoreApi } from './generated/sdk.gen.js';
export type * from './generated/types.gen.js';

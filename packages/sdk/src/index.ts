export { createStoreClient, type EventStreamOptions, StoreClient, type StoreClientOptions } from './store-client.js';
export { type RefreshTokenStorage } from './session.js';
export { type RetryOptions } from './retries.js';
export { type FieldError, StoreApiError } from './store-api-error.js';
export { type Page, pages, wholePages } from './pages.js';
export { readServerSentEvents, type ServerSentEvent } from './server-sent-events.js';
export { streamedBody, type StreamedBodyOptions, type StreamedBytes } from './streamed-body.js';
export { onUploadProgress, type ProgressListener, type UploadProgress } from './upload-progress.js';
export {
  checkWebhook,
  isWebhookSecret,
  verifyWebhook,
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.js';
export { pictureSources, type PictureSources, pictureWidths } from './picture-sources.js';
export { type Options, StoreApi } from './generated/sdk.gen.js';
export * from './generated/types.gen.js';

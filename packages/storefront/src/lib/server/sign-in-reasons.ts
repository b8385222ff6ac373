import { StoreApiError } from '@store-service/sdk';
import { isHttpError } from '@sveltejs/kit';

/** Why a sign-in with the provider ended: the names of the login page's sentences. */
export const providerReasons = [
  'provider-away',
  'provider-denied',
  'provider-no-email',
  'provider-taken',
  'provider-suspended',
  'provider-failed',
] as const;
export type ProviderReason = (typeof providerReasons)[number];

const reasons: Record<string, ProviderReason> = {
  sign_in_denied: 'provider-denied',
  email_missing: 'provider-no-email',
  account_exists: 'provider-taken',
  account_suspended: 'provider-suspended',
};

/** The reason of a refusal; whatever is none is thrown on. */
export function reasonOf(error: unknown): ProviderReason {
  if (isHttpError(error)) return 'provider-away';
  if (!(error instanceof StoreApiError)) throw error;
  return reasons[error.code ?? ''] ?? 'provider-failed';
}

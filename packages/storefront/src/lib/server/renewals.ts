import { StoreApiError, type StoreClient } from '@store-service/sdk';
import { isHttpError } from '@sveltejs/kit';
import type { Session, Tokens } from './session.ts';

/** Renewals under way, by their token: pages that open at once share one. */
const running = new Map<string, Promise<Tokens | null>>();

function renewed(api: StoreClient, token: string): Promise<Tokens | null> {
  const known = running.get(token);
  if (known) return known;
  const renewal = api.auth.refresh({ body: { refresh_token: token } }).then(
    ({ data }): Tokens => data,
    (problem: unknown) => {
      if (problem instanceof StoreApiError && (problem.status === 401 || problem.status === 403)) return null;
      throw problem;
    },
  );
  running.set(token, renewal);
  const done = () => running.delete(token);
  renewal.then(done, done);
  return renewal;
}

/**
 * Renews a session whose access token has ended. It is forgotten where the service has ended it, and stays as it is where the
 * service does not answer.
 */
export async function renew(session: Session, api: StoreClient): Promise<void> {
  const { accessToken, refreshToken } = session;
  if (accessToken !== undefined || refreshToken === undefined) return;
  try {
    const tokens = await renewed(api, refreshToken);
    if (tokens) session.keep(tokens);
    else session.forget();
  } catch (problem) {
    if (!isHttpError(problem)) throw problem;
  }
}

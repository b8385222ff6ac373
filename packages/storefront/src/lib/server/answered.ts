import { StoreApiError } from '@store-service/sdk';
import { error } from '@sveltejs/kit';

const away = { message: 'The service cannot be reached', kind: 'away' } as const;

/**
 * What a call of the service resolves to. Where there is no such thing the page is a 404, and a 503 where the service is away or
 * busy.
 */
export async function answered<Data>(call: Promise<{ data: Data; response: Response }>): Promise<Data> {
  return (await answeredWhole(call)).data;
}

/** The same with the answer itself, for its headers. */
export async function answeredWhole<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (problem) {
    if (!(problem instanceof StoreApiError)) {
      const isLost = problem instanceof TypeError || problem instanceof DOMException;
      if (isLost) error(503, away);
      throw problem;
    }
    // A path or a filter that the service refuses leads nowhere, like one that it does not know.
    if (problem.status === 404 || problem.status === 422) error(404, { message: problem.detail, kind: 'missing' });
    if (problem.status === 429) error(429, { message: problem.detail, kind: 'refused' });
    if (problem.status >= 500) error(503, away);
    throw problem;
  }
}

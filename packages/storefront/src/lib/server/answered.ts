import { StoreApiError } from '@store-service/sdk';
import { error } from '@sveltejs/kit';

/** What a call of the service resolves to. The page is a 404 where there is no such thing. */
export async function answered<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  return (await answeredWhole(call)).data;
}

/** The same with the answer itself, for its headers. */
export async function answeredWhole<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (problem) {
    // An address that the service refuses leads nowhere, like one that it does not know.
    const isMissing = problem instanceof StoreApiError && (problem.status === 404 || problem.status === 422);
    if (isMissing) error(404, { message: problem.detail, kind: 'missing' });
    throw problem;
  }
}

import { createStoreClient } from '@store-service/sdk';
import { withSession } from './session.svelte.js';

let tellAnswered: (isChange: boolean) => void = () => undefined;

/** Has `tell` called whenever the service has done what it was asked for, with whether that was a change. */
export function whenAnswered(tell: (isChange: boolean) => void): void {
  tellAnswered = tell;
}

async function send(request: Request): Promise<Response> {
  const response = await withSession(request);
  if (response.ok) tellAnswered(request.method !== 'GET');
  return response;
}

/**
 * The service's interface, with the session of the signed-in user; throws a `StoreApiError` for a refusal. The query cache
 * retries failures, and aborts searches that are superseded or whose screen is left.
 */
export const api = createStoreClient({ baseUrl: '', fetch: send, retry: { limit: 0 } });

interface Answer<T> {
  data: T;
  response: Response;
}

/** The data in the service's response. */
export async function ask<T>(answer: Promise<Answer<T>>): Promise<T> {
  return (await answer).data;
}

/** A page of a list of the shop, with the length of the whole list. */
export interface Page<T> {
  rows: T[];
  total: number;
}

export async function askPage<T>(answer: Promise<Answer<T[]>>): Promise<Page<T>> {
  const { data, response } = await answer;
  return { rows: data, total: Number(response.headers.get('x-total-count') ?? data.length) };
}

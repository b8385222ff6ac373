import { createClient, createConfig, StoreApi } from '@store-service/sdk';
import { problemOfBody, ServiceError } from './problem.js';
import { withSession } from './session.svelte.js';

const client = createClient(
  createConfig({ baseUrl: '', fetch: (request) => withSession(request as Request), throwOnError: true }),
);
client.interceptors.error.use((error, response) =>
  response ? new ServiceError(problemOfBody(response, error)) : error,
);

/** The service's interface, with the session of who signed in; throws a `ServiceError` for a refusal. */
export const api = new StoreApi({ client });

interface Answer<T> {
  data: T;
  response: Response;
}

/** What the service answered. */
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

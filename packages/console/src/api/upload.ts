import { problemOfBody, ServiceError } from './problem.js';
import { bearerOfTheMoment, renewed, session } from './session.svelte.js';

export interface Upload {
  url: string;
  body: Blob;
  headers?: Record<string, string>;
  /** The share sent so far, from 0 to 1. */
  onprogress?: (ratio: number) => void;
  signal?: AbortSignal;
}

/** The response of a finished request, as `fetch` would give it. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  const requestId = request.getResponseHeader('x-request-id');
  if (requestId) headers.set('x-request-id', requestId);
  return new Response(null, { status: request.status === 204 ? 204 : Math.max(200, request.status), headers });
}

function once({
  url,
  body,
  headers,
  onprogress,
  signal,
}: Upload): Promise<{ status: number; request: XMLHttpRequest }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.responseType = 'json';
    const token = bearerOfTheMoment();
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    if (session.organization) request.setRequestHeader('x-organization-id', session.organization.id);
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onprogress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => resolve({ status: request.status, request }));
    request.addEventListener('error', () => reject(new TypeError('The connection was lost')));
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** Sends a file and reports its progress, which `fetch` cannot. Continues after a new login, as all requests do. */
export async function upload<T>(what: Upload): Promise<T> {
  for (;;) {
    const { status, request } = await once(what);
    if (status === 401) await renewed();
    else if (status >= 400) throw new ServiceError(problemOfBody(responseOf(request), request.response));
    else return request.response as T;
  }
}

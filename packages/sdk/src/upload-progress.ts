import { isStreamed } from './streamed-body.js';

export interface UploadProgress {
  /** Bytes sent so far. */
  loaded: number;
  /** Bytes in total. */
  total: number;
}

export type ProgressListener = (progress: UploadProgress) => void;

/** A form being sent, and the listener for its progress. */
export interface Upload {
  form: FormData;
  listener: ProgressListener;
}

/** The uploads in progress, by their requests. */
const uploads = new WeakMap<Request, Upload>();

export function tellProgress(request: Request, upload: Upload): void {
  uploads.set(request, upload);
}

/**
 * A copy of the request that can be sent once more and reports progress to the same listener; undefined where its body is a
 * stream, which the copy would keep in memory.
 */
export function cloneOf(request: Request): Request | undefined {
  if (isStreamed(request)) return undefined;
  const clone = request.clone();
  const upload = uploads.get(request);
  if (upload) uploads.set(clone, upload);
  return clone;
}

/** The parts of XMLHttpRequest used here, which not every runtime has. */
interface Xhr {
  upload: { addEventListener(name: 'progress', listener: (event: UploadProgress) => void): void };
  responseType: string;
  withCredentials: boolean;
  readonly status: number;
  readonly response: ArrayBuffer;
  addEventListener(name: 'load' | 'error' | 'abort', listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: FormData): void;
  abort(): void;
}

/** Options of a call that uploads: `store.uploads.avatar({ body: { file }, ...onUploadProgress(({ loaded }) => …) })`. */
export function onUploadProgress(listener: ProgressListener): { meta: { onUploadProgress: ProgressListener } } {
  return { meta: { onUploadProgress: listener } };
}

function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

function responseOf(xhr: Xhr): Response {
  const { status } = xhr;
  const body = [204, 205, 304].includes(status) ? null : xhr.response;
  return new Response(body, { status, headers: headersOf(xhr.getAllResponseHeaders()) });
}

function sendByXhr(xhr: Xhr, request: Request, { form, listener }: Upload): Promise<Response> {
  const { signal } = request;
  const abort = () => xhr.abort();
  const sent = new Promise<Response>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    xhr.addEventListener('load', () => {
      try {
        resolve(responseOf(xhr));
      } catch (error) {
        reject(error);
      }
    });
    xhr.addEventListener('error', () => reject(new TypeError('The upload failed: the connection was lost')));
    xhr.addEventListener('abort', () => reject(signal.reason));
    xhr.upload.addEventListener('progress', ({ loaded, total }) => listener({ loaded, total }));
    xhr.open(request.method, request.url);
    xhr.responseType = 'arraybuffer';
    xhr.withCredentials = request.credentials === 'include';
    // XMLHttpRequest sets the boundary of the form itself.
    request.headers.forEach((value, name) => name !== 'content-type' && xhr.setRequestHeader(name, value));
    xhr.send(form);
  });
  return sent.finally(() => signal.removeEventListener('abort', abort));
}

function sizeOf(form: FormData): number {
  let size = 0;
  form.forEach((value) => (size += typeof value === 'string' ? value.length : value.size));
  return size;
}

/** Sends a request. Reports the progress of an upload by XMLHttpRequest where available, else only its start and end. */
export async function sendWithProgress(
  send: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Response> {
  const upload = uploads.get(request);
  if (!upload) return send(request);
  const { XMLHttpRequest: XhrHere } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };
  if (XhrHere) return sendByXhr(new XhrHere(), request, upload);
  const total = sizeOf(upload.form);
  upload.listener({ loaded: 0, total });
  const response = await send(request);
  upload.listener({ loaded: total, total });
  return response;
}

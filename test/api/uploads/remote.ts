import type { RequestListener } from 'node:http';
import { Loopback } from '../../unit/platform/net/loopback.js';

/** What another server responds with. */
export interface RemoteAnswer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Another server, with a response for each path and a 404 page for all others. */
export class Remote {
  readonly asked: { path: string; headers: Record<string, unknown> }[] = [];
  private readonly answers = new Map<string, RemoteAnswer | RequestListener>();

  private constructor(readonly server: Loopback) {}

  static async start(): Promise<Remote> {
    const listener: RequestListener = (request, response) => remote.answer(request, response);
    const remote: Remote = new Remote(await Loopback.http(listener));
    return remote;
  }

  /** Sets the response of a path, and returns its address. */
  at(path: string, answer: RemoteAnswer | RequestListener): string {
    this.answers.set(path, answer);
    return this.server.url(path);
  }

  private readonly answer: RequestListener = (request, response) => {
    const path = request.url ?? '';
    this.asked.push({ path, headers: request.headers });
    const known = this.answers.get(path) ?? { status: 404, type: 'text/html', body: '<title>Not here</title>' };
    if (typeof known === 'function') return known(request, response);
    const { status = 200, type, headers = {}, body = '' } = known;
    response.writeHead(status, { ...(type === undefined ? {} : { 'content-type': type }), ...headers }).end(body);
  };
}

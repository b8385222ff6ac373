type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A response with a JSON body. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Stands in for the service: gives each path's responses in order, and the last one to all further requests. */
export class FakeService {
  readonly requests: Request[] = [];

  constructor(private readonly answers: Record<string, Answer[]>) {}

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests.push(request.clone());
    request.signal.throwIfAborted();
    const waiting = this.answers[new URL(request.url).pathname] ?? [];
    const next = waiting.length > 1 ? waiting.shift() : waiting[0];
    if (next === undefined) return answer(404, { detail: 'Nothing here', code: 'not_found' });
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(request) : next.clone();
  };

  /** How often a path was requested. */
  count(path: string): number {
    return this.requests.filter(({ url }) => new URL(url).pathname === path).length;
  }
}

import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { answerTo, codeOf } from './error-answer.js';
import { MethodNotAllowed } from './errors.js';

/** A route of Express's router. */
interface Layer {
  readonly route?: { readonly methods: Record<string, boolean> };
  match(path: string): boolean;
}
interface Routed {
  readonly app?: { readonly router?: { readonly stack: readonly Layer[] } };
  readonly path: string;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The methods that some route takes at the path of a request. */
function allowedMethods({ app, path }: Routed): string[] {
  const taken = new Set<string>();
  for (const layer of app?.router?.stack ?? []) {
    if (!layer.route || !layer.match(path)) continue;
    for (const method of Object.keys(layer.route.methods)) taken.add(method.toUpperCase());
  }
  // Express handles HEAD as GET (RFC 9110, section 9.3.2).
  if (taken.has('GET')) taken.add('HEAD');
  return order.filter((method) => taken.has(method));
}

/** The refusal of a request that no route matched but whose path supports other methods; null otherwise. */
function methodRefusal(error: unknown, request: Request): MethodNotAllowed | null {
  if (!(error instanceof NotFoundException)) return null;
  const allowed = allowedMethods(request as unknown as Routed);
  if (allowed.length === 0) return null;
  const { method, path } = request;
  return new MethodNotAllowed(`${path.slice(0, 200)} does not support ${method}: use ${allowed.join(', ')}`, allowed);
}

/** Responds to errors as the interface description promises. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response & { err?: Error; code?: string }>();
    const { status, body, headers, cause } = answerTo(methodRefusal(error, request) ?? error, request);
    if (cause) response.err = cause;
    response.code = codeOf(body);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(status).set(headers).json(body);
  }
}

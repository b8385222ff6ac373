import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import { paramsIn, partsOf, type Route, routesOf } from '../auth/route-list.js';
import { answerTo, codeOf, sentenceOf } from '../errors/error-answer.js';
import { MethodNotAllowed } from '../errors/errors.js';

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Responds to errors as the interface description promises. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private routes: Pick<Route, 'method' | 'parts'>[] | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response & { err?: Error; code?: string; refusal?: string }>();
    const { status, body, headers, cause } = answerTo(this.methodRefusal(error, request) ?? error, request);
    if (cause) response.err = cause;
    response.code = codeOf(body);
    if (!cause) response.refusal = sentenceOf(body);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(status).set(headers).json(body);
  }

  /** The refusal of a request that no route took, where its path takes other methods; null otherwise. */
  private methodRefusal(error: unknown, { method, path }: Request): MethodNotAllowed | null {
    if (!(error instanceof NotFoundException)) return null;
    const allowed = this.allowedMethods(path);
    if (allowed.length === 0) return null;
    return new MethodNotAllowed(`${path.slice(0, 200)} does not support ${method}: use ${allowed.join(', ')}`, allowed);
  }

  /** The methods that some route takes at a path. */
  private allowedMethods(path: string): string[] {
    this.routes ??= routesOf(this.modules);
    const parts = partsOf(path);
    const taken = new Set(this.routes.filter((route) => paramsIn(parts, route)).map(({ method }) => method));
    // Express handles HEAD as GET (RFC 9110, section 9.3.2).
    if (taken.has('GET')) taken.add('HEAD');
    return order.filter((method) => taken.has(method));
  }
}

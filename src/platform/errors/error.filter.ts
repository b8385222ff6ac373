import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { methodRefusal } from './allowed-methods.js';
import { answerTo, codeOf } from './error-answer.js';

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

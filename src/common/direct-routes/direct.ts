import { SetMetadata } from '@nestjs/common';

export const directKey = Symbol('direct');

/**
 * For a route of signed-in callers that is asked more often than others: a plain request for it is handled in front of
 * Express and Nest (`DirectRequests`), with the same response. The path has no parameters.
 */
export const Direct = (): MethodDecorator => SetMetadata(directKey, true);

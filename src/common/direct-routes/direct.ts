import { SetMetadata } from '@nestjs/common';

export const directKey = Symbol('direct');

/**
 * For a busy route of signed-in callers: plain requests for it are handled in front of Express and Nest (`DirectRequests`),
 * with the same response. The path has no parameters, and nothing of it is recorded in the audit log.
 */
export const Direct = (): MethodDecorator => SetMetadata(directKey, true);

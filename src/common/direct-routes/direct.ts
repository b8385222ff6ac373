import { SetMetadata } from '@nestjs/common';

export const directKey = Symbol('direct');

/**
 * For a busy route of signed-in callers: plain requests for it are handled in front of Express and Nest (`DirectRequests`),
 * with the same response. The path has no parameters.
 */
export const Direct = (): MethodDecorator => SetMetadata(directKey, true);

import { ResponseHeader } from '../../platform/http/response-headers.js';

export const similarHeader = 'X-Similar';

/** For a search that takes `similar`: its answer says by a header that nothing has the words themselves. */
export const SaysIfSimilar = (): MethodDecorator =>
  ResponseHeader(similarHeader, {
    description: 'Sent if no product has all the words: these have similar words',
    schema: { type: 'string', enum: ['true'] },
  });

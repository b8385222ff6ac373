import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';

const logger = new Logger('Storefront');

/**
 * Ends the response with the file that is sent as it, where that cannot be read: its head has been sent. Whoever sends files by
 * SvelteKit's adapter does not listen for that, and a file that a new release has replaced would end the process.
 */
export function endWithItsFile(response: ServerResponse): void {
  response.once('pipe', (file: Readable) => {
    file.once('error', ({ message }) => {
      logger.warn(
        `A file of the shop front cannot be read (${message}): start the service anew after its files changed`,
      );
      response.destroy();
    });
  });
}

import type { Request, Response } from 'express';

/** Long enough for an answer to arrive before its connection ends. */
const patienceMs = 1_000;

/**
 * Stops reading a refused request and closes its connection after the response, since its client could send forever.
 * Node would close it at once, and so reset a client that is still sending before it has read the response (RFC 9112,
 * section 9.6).
 */
export function closeAfterResponse(request: Request, response: Response): void {
  const { socket } = request;
  request.pause();
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), patienceMs).unref();
  };
}

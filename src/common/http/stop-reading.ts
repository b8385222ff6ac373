import type { Request, Response } from 'express';

/** Long enough for an answer to arrive before its connection ends. */
const patienceMs = 1_000;

/**
 * Reads nothing more of a request that is refused, and has its connection end: its client could send for ever. Node would
 * end it with the answer, and reset a client that still sends before it has read it (RFC 9112, section 9.6).
 */
export function stopReading(request: Request, response: Response): void {
  const { socket } = request;
  request.pause();
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), patienceMs).unref();
  };
}

import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';

export const serviceVersion = '1.0.0';

/** Whether the service is stopping: it then finishes its requests and asks for no more. */
@Injectable()
export class ServiceLife {
  private readonly end = new AbortController();

  constructor() {
    setMaxListeners(0, this.signal); // as many as there are checks of health in progress
  }

  /** Aborted when the service begins to stop. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  get stopping(): boolean {
    return this.signal.aborted;
  }

  /** Calls `listener` when the service begins to stop: for work that would not end by itself. */
  onStopping(listener: () => void): void {
    this.signal.addEventListener('abort', listener, { once: true });
  }

  stop(): void {
    this.end.abort();
  }
}

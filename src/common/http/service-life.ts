import { Injectable } from '@nestjs/common';

export const serviceVersion = '1.0.0';

/** Whether the service is stopping: it then finishes its requests and asks for no more. */
@Injectable()
export class ServiceLife {
  private isStopping = false;
  private readonly listeners: (() => void)[] = [];

  get stopping(): boolean {
    return this.isStopping;
  }

  /** Calls `listener` when the service begins to stop: for work that would not end by itself. */
  onStopping(listener: () => void): void {
    this.listeners.push(listener);
  }

  stop(): void {
    this.isStopping = true;
    for (const listener of this.listeners) listener();
  }
}

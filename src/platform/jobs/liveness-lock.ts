import type { Pool, PoolClient } from 'pg';
import { beat, beginLiveness, lockLiveness } from './jobs.statements.js';

const beatMs = 2_000;
const beatTimeoutMs = 5_000;

/** The locks that prove the workers of this process alive, held on a connection of their own. */
export class LivenessLock {
  private ended = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly client: PoolClient,
    private readonly onLost: (reason: Error) => void,
  ) {
    client.on('error', this.lose);
  }

  /** Connects; throws where the database is away. `onLost` is called once if the locks are lost before `release`. */
  static async connect(connections: Pool, onLost: (reason: Error) => void): Promise<LivenessLock> {
    const lock = new LivenessLock(await connections.connect(), onLost);
    try {
      await lock.client.query(beginLiveness);
      return lock;
    } catch (error) {
      lock.lose(error as Error);
      throw error;
    }
  }

  /** Takes the locks of these workers. */
  async take(workerIds: string[]): Promise<void> {
    await this.client.query(lockLiveness, [workerIds]);
    this.timer = setTimeout(() => void this.beat(), beatMs);
  }

  async release(): Promise<void> {
    if (this.ended) return;
    this.end();
    try {
      await this.client.query('COMMIT');
      this.client.release();
    } catch (error) {
      this.client.release(error as Error);
    }
  }

  private async beat(): Promise<void> {
    const late = setTimeout(() => this.lose(new Error('The database does not answer')), beatTimeoutMs);
    try {
      await this.client.query(beat);
      if (!this.ended) this.timer = setTimeout(() => void this.beat(), beatMs);
    } catch (error) {
      this.lose(error as Error);
    } finally {
      clearTimeout(late);
    }
  }

  private readonly lose = (reason: Error): void => {
    if (this.ended) return;
    this.end();
    this.client.release(reason);
    this.onLost(reason);
  };

  private end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.client.off('error', this.lose);
  }
}

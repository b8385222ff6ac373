/** What a task may know of the job that it handles. */
export interface JobContext {
  /** Aborted when the job should come to an end: the service stops, or this node can no longer prove that it lives. */
  signal: AbortSignal;
  /** Who runs the job: alive exactly as long as its lock is held (`worker-life.ts`). */
  workerId: string;
  /** Whether the queue will not try the job again when it throws now. */
  lastTry: boolean;
}

export type TaskHandler = (payload: unknown, context: JobContext) => Promise<void>;

/**
 * Jobs of a lane wait for each other alone. `outbound` is for those that spend their time waiting for other servers:
 * many run at once, and none of them keeps the others of the house waiting.
 */
export type Lane = 'ordinary' | 'outbound';

export interface Task {
  name: string;
  lane: Lane;
  handler: TaskHandler;
  /** Marks of jobs that must not be taken at the moment. */
  passOver?: () => string[];
}

/** A task that runs every so many seconds, on one node. */
export interface RecurringTask {
  name: string;
  everySeconds: number;
  handler: (context: JobContext) => Promise<void>;
}

/** The job as its task sees it. */
export interface JobContext {
  /** Aborted when the job should end: its deadline is over, the service stops, or this node cannot prove that it is alive. */
  signal: AbortSignal;
  /** The worker pool that runs the job; it is alive as long as its liveness lock is held. */
  workerId: string;
  /** Whether the queue has tried the job before. */
  isRetry: boolean;
  /** Whether the queue will not try the job again when it throws now. */
  lastTry: boolean;
}

export type TaskHandler = (payload: unknown, context: JobContext) => Promise<void>;

/**
 * Jobs wait only for others of their queue. `outbound` is for jobs that spend their time waiting for other servers: many
 * run at once, and none of them delays the `ordinary` ones. `mail` is for jobs that talk to the mail server. `upkeep` is for
 * the recurring tasks: each has a worker of its own there, so that none waits for another.
 */
export type Queue = 'ordinary' | 'outbound' | 'mail' | 'upkeep';

export interface Task {
  name: string;
  queue: Queue;
  /** How long a job may take. One that takes longer is aborted, and its worker takes the next job. */
  deadlineSeconds: number;
  handler: TaskHandler;
  /** Flags of jobs that the runner must not take at the moment. */
  forbiddenFlags?: () => string[];
}

/** How the jobs of a task run. */
export type TaskOptions = Pick<Task, 'deadlineSeconds'> & Partial<Pick<Task, 'queue' | 'forbiddenFlags'>>;

/** A task that runs every so many seconds, on one node. Its deadline is before its next time. */
export interface RecurringTask {
  name: string;
  everySeconds: number;
  deadlineSeconds: number;
  handler: (context: JobContext) => Promise<void>;
}

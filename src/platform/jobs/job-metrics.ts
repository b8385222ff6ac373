import { Injectable } from '@nestjs/common';
import { Metrics } from '../http/metrics.js';
import { JobsRepository } from './jobs.repository.js';
import type { TaskFigures } from './jobs.statements.js';

/** How long a look at the queue serves, so that one answer of `/metrics` takes one. */
const lookMs = 1_000;

export type JobResult = 'done' | 'failed' | 'late';

/** What waits in the queue, for all nodes, and what became of the jobs of this node. */
@Injectable()
export class JobMetrics {
  private readonly inHand = new Map<string, number>();
  private readonly ended = new Map<string, Record<JobResult, number>>();
  private lastLook: { at: number; figures: Promise<TaskFigures[]> } | undefined;

  constructor(
    metrics: Metrics,
    private readonly repository: JobsRepository,
  ) {
    const ofQueue = (name: string, help: string, of: (figures: TaskFigures) => number): void =>
      metrics.watchEach(name, help, {
        labels: ['task'],
        aggregator: 'max', // each process sees the same queue
        look: async () => (await this.figures()).map((figures) => ({ labels: [figures.task], value: of(figures) })),
      });
    ofQueue('jobs_waiting', 'Jobs that are due and that no worker has taken', ({ waiting }) => waiting);
    ofQueue('jobs_planned', 'Jobs that wait for their time, or for their next try', ({ planned }) => planned);
    ofQueue('jobs_oldest_waiting_seconds', 'For how long the oldest due job has waited', ({ oldest }) => oldest);
    metrics.watch('mails_waiting', 'Mails that are not sent yet', () => this.open('mail'), 'max');
    metrics.watchEach('jobs_in_hand', 'Jobs that this node is at', {
      labels: ['task'],
      look: () => [...this.inHand].map(([task, value]) => ({ labels: [task], value })),
    });
    metrics.countEach('jobs_ended_total', 'Jobs that this node has ended, by what became of them', {
      labels: ['task', 'result'],
      look: () =>
        [...this.ended].flatMap(([task, results]) =>
          Object.entries(results).map(([result, value]) => ({ labels: [task, result], value })),
        ),
    });
  }

  /** Shows a task, even before its first job. */
  know(task: string): void {
    this.inHand.set(task, 0);
    this.ended.set(task, { done: 0, failed: 0, late: 0 });
  }

  begin(task: string): void {
    this.inHand.set(task, (this.inHand.get(task) ?? 0) + 1);
  }

  end(task: string, result: JobResult): void {
    this.inHand.set(task, (this.inHand.get(task) ?? 1) - 1);
    const results = this.ended.get(task);
    if (results) results[result] += 1;
  }

  /** The waiting jobs of each task that has some or is known; rejects while the database is away. */
  figures(): Promise<TaskFigures[]> {
    const now = Date.now();
    if (!this.lastLook || now - this.lastLook.at >= lookMs) this.lastLook = { at: now, figures: this.look() };
    return this.lastLook.figures;
  }

  private async look(): Promise<TaskFigures[]> {
    const found = new Map((await this.repository.figures()).map((figures) => [figures.task, figures]));
    for (const task of this.inHand.keys()) {
      if (!found.has(task)) found.set(task, { task, waiting: 0, planned: 0, oldest: 0 });
    }
    return [...found.values()];
  }

  private async open(task: string): Promise<number> {
    const figures = (await this.figures()).find((one) => one.task === task);
    return figures ? figures.waiting + figures.planned : 0;
  }
}

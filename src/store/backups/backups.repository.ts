import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Not, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { BackupEntity } from './backup.entity.js';

export interface BackupFigures {
  /** When the newest backup was begun; null if there is none. */
  newest: Date | null;
  /** Why the last one failed; null if the last one is kept. */
  fault: string | null;
}

/** What a clock that was turned back leaves in the future does not count. */
const past = `begun_at <= now() + interval '5 minutes'`;

/** Whether none was begun since $1, and none failed within the last $2 seconds. */
const isDue = statement(
  'backups.is-due',
  `SELECT NOT EXISTS (SELECT FROM backups WHERE outcome IN ('awaited', 'kept') AND begun_at >= $1 AND ${past})
      AND NOT EXISTS (
        SELECT FROM backups WHERE outcome = 'failed' AND ended_at > now() - $2::integer * interval '1 second' AND ${past}
      ) AS due`,
);

const figures = statement(
  'backups.figures',
  `SELECT (SELECT max(begun_at) FROM backups WHERE outcome = 'kept') AS newest,
          (SELECT CASE outcome WHEN 'failed' THEN reason END FROM backups
            WHERE outcome IN ('kept', 'failed') ORDER BY begun_at DESC LIMIT 1) AS fault`,
);

@Injectable()
export class BackupsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(BackupEntity) private readonly backups: Repository<BackupEntity>,
  ) {}

  isEmpty(): Promise<boolean> {
    return this.backups.exists().then((exists) => !exists);
  }

  async isDue(since: Date, pauseSeconds: number): Promise<boolean> {
    const row = await this.database.row<{ due: boolean }>(isDue, [since, pauseSeconds]);
    return row?.due === true;
  }

  async figures(): Promise<BackupFigures> {
    const row = await this.database.row<BackupFigures & Record<string, unknown>>(figures, []);
    return row ?? { newest: null, fault: null };
  }

  /** Records when the schedule was first looked at. */
  async await(): Promise<void> {
    await this.backups.insert({ id: uuidV7(), outcome: 'awaited' });
  }

  /** Records a beginning, and that whatever was begun before and has not ended never will. */
  async begin(): Promise<string> {
    const id = uuidV7();
    await this.backups.update({ outcome: 'running' }, { outcome: 'interrupted', endedAt: () => 'now()' });
    await this.backups.insert({ id, outcome: 'running' });
    return id;
  }

  /** Records the outcome, and returns that of the one before it. */
  async end(
    id: string,
    outcome: Pick<BackupEntity, 'outcome' | 'name' | 'bytes' | 'reason'>,
  ): Promise<BackupEntity | null> {
    const before = await this.backups.findOne({
      where: { outcome: In(['kept', 'failed']) },
      order: { begunAt: 'DESC' },
    });
    await this.backups.update({ id }, { ...outcome, endedAt: () => 'now()' });
    return before;
  }

  newest(most: number): Promise<BackupEntity[]> {
    return this.backups.find({ where: { outcome: Not('awaited') }, order: { begunAt: 'DESC' }, take: most });
  }

  async removeBefore(time: Date): Promise<void> {
    await this.backups.delete({ begunAt: LessThan(time) });
  }
}

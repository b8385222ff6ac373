import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { NodeEntity } from './node.entity.js';

/** What a node tells of itself. */
export type NodeState = Omit<NodeEntity, 'seenAt' | 'slowStatements'>;

/** Writes what a node tells, and forgets those that were silent for a day. */
const tell = statement(
  'nodes.tell',
  `WITH gone AS (DELETE FROM nodes WHERE seen_at < now() - interval '1 day')
   INSERT INTO nodes (id, host, pid, version, started_at, slow_statements)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (id) DO UPDATE SET seen_at = now(), slow_statements = excluded.slow_statements`,
);

const mostStatements = 20;

@Injectable()
export class NodesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(NodeEntity) private readonly nodes: Repository<NodeEntity>,
  ) {}

  /** Writes what a node tells, with the statements of this process that took long. */
  async tell({ id, host, pid, version, startedAt }: NodeState): Promise<void> {
    const slow = JSON.stringify(this.database.slow.worst(mostStatements));
    await this.database.execute(tell, [id, host, pid, version, startedAt, slow]);
  }

  async remove(id: string): Promise<void> {
    await this.nodes.delete({ id });
  }

  /** Those that told of themselves since `time`, the newest first. */
  seenSince(time: Date, most: number): Promise<NodeEntity[]> {
    return this.nodes.find({ where: { seenAt: MoreThan(time) }, order: { startedAt: 'DESC', id: 'ASC' }, take: most });
  }
}

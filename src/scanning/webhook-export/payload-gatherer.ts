import { Injectable } from '@nestjs/common';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { type ExportPlan, type PlannedAction, sends, subjectRoot } from './export-plan.js';
import { type MatchingIds, MatchingRepository } from './matching.repository.js';
import { maxPayloadBytes, PayloadOverflow, PayloadRows } from './payload-rows.js';
import type { PayloadShape } from './payload-rows.repository.js';
import type { RootBytes, RootSink } from './payload-store.js';

/** More rows than fit into any payload: the smallest row of any shape has more than 170 bytes. */
const maxRows = 320_000;

/** What came of gathering. */
export interface Gathered {
  /** How many bytes the roots have that were taken. */
  rootBytes: RootBytes;
  /** The actions whose payload would be larger than `maxPayloadBytes`. */
  tooLarge: Set<string>;
}

/** Gathers what an export sends, for a run and for a preview alike: by the same statements, within the same limits. */
@Injectable()
export class PayloadGatherer {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly rows: PayloadRows,
  ) {}

  /**
   * The ids of what is sent, newest first; roots that no action sends are empty. Null where nothing of what an event was
   * about matches the conditions any more.
   */
  async find(plan: ExportPlan): Promise<MatchingIds | null> {
    const ids = await this.matching.find({ ...plan, limit: maxRows });
    const subject = subjectRoot(plan);
    if (subject && ids[subject].length === 0) return null;
    const isWanted = (root: PayloadRoot): boolean => plan.actions.some((action) => sends(action, root));
    return Object.fromEntries(payloadRoots.map((root) => [root, isWanted(root) ? ids[root] : []])) as MatchingIds;
  }

  /** Hands the roots of these ids to the sink, each once, as long as an action that sends it has room for it. */
  async gather(plan: ExportPlan, ids: MatchingIds, shape: PayloadShape, sink: RootSink): Promise<Gathered> {
    const rootBytes: RootBytes = {};
    const room = new Map(plan.actions.map((action) => [action, maxPayloadBytes]));
    for (const root of payloadRoots.filter((one) => ids[one].length > 0)) {
      const senders = [...room.keys()].filter((action) => sends(action, root));
      const most = Math.max(0, ...senders.map((action) => room.get(action) ?? 0));
      if (senders.length === 0) continue;
      const elements = this.rows.read(plan.organizationId, shape, root, ids[root]);
      const bytes = ids[root].length === maxRows ? null : await taken(sink, root, elements, most);
      if (bytes !== null) rootBytes[root] = bytes;
      for (const action of senders) fill(room, action, bytes ?? Infinity);
    }
    const tooLarge = plan.actions.filter((action) => !room.has(action)).map(({ id }) => id);
    return { rootBytes, tooLarge: new Set(tooLarge) };
  }
}

/** How many bytes the sink took; null, and nothing taken, where they are more than `most`. */
async function taken(
  sink: RootSink,
  root: PayloadRoot,
  elements: AsyncIterable<string>,
  most: number,
): Promise<number | null> {
  try {
    return await sink.take(root, elements, (bytes) => {
      if (bytes > most) throw new PayloadOverflow();
    });
  } catch (error) {
    if (!(error instanceof PayloadOverflow)) throw error;
    await sink.drop(root);
    return null;
  }
}

/** Takes the bytes off an action's room; one that has too little is out. */
function fill(room: Map<PlannedAction, number>, action: PlannedAction, bytes: number): void {
  const left = (room.get(action) ?? 0) - bytes;
  if (left < 0) room.delete(action);
  else room.set(action, left);
}

import { Injectable } from '@nestjs/common';
import { filtersOf } from '../issues/issue-filters.statements.js';
import { ViewsService } from '../views/views.service.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadVariant, RootBytes } from '../workflows/workflow-run.entity.js';
import { type ExportPlan, type PlannedAction, sends, subjectRoot } from './export-plan.js';
import { type MatchingIds, MatchingRepository } from './matching.repository.js';
import { maxPayloadBytes, PayloadOverflow, PayloadRows } from './payload-rows.js';
import { Cuts, type RootCuts } from './payload-parts.js';
import type { RootWriter } from './payload-store.js';

/** More rows than fit into any payload: the smallest row of any variant has more than 170 bytes. */
const maxRows = 320_000;
/** The same for payloads in parts. */
const maxRowsInParts = 1_000_000;

const maxRowsOf = ({ actions }: ExportPlan): number =>
  actions.some(({ inParts }) => inParts) ? maxRowsInParts : maxRows;

export interface Found {
  /** All matches, whichever roots are sent. */
  matching: MatchingIds;
  /** The matches to send: without the roots that no action sends. */
  sent: MatchingIds;
}

/** The outcome of gathering. */
export interface Gathered {
  /** The lengths of the written roots. */
  rootBytes: RootBytes;
  /** Where these may be cut. */
  rootCuts: RootCuts;
  /** The actions whose payload would be larger than `maxPayloadBytes`. */
  tooLarge: Set<string>;
}

/** Gathers the contents of exports, for runs and previews alike: by the same statements, within the same limits. */
@Injectable()
export class PayloadGatherer {
  constructor(
    private readonly matching: MatchingRepository,
    private readonly rows: PayloadRows,
    private readonly views: ViewsService,
  ) {}

  /**
   * The ids of all matches and of those to send, newest first. Null if none of an event's subjects matches the
   * conditions any more; `ViewGone` where the view of the conditions is gone.
   */
  async find(plan: ExportPlan): Promise<Found | null> {
    const { viewId } = plan.conditions;
    const asked = viewId === undefined ? null : await this.views.filterFor(plan.organizationId, viewId);
    // Unspecified: whom `me` names in the view of a workflow. Nobody.
    const view = asked && filtersOf(asked, null);
    const matching = await this.matching.find({ ...plan, limit: maxRowsOf(plan), view });
    const subject = subjectRoot(plan);
    if (subject && matching[subject].length === 0) return null;
    if (plan.changedSince && payloadRoots.every((root) => matching[root].length === 0)) return null;
    const isWanted = (root: PayloadRoot): boolean => plan.actions.some((action) => sends(action, root));
    const sent = payloadRoots.map((root) => [root, isWanted(root) ? matching[root] : []]);
    return { matching, sent: Object.fromEntries(sent) as MatchingIds };
  }

  /** Writes the roots of these ids, each once, if it still fits into the payload of an action that sends it. */
  async gather(plan: ExportPlan, ids: MatchingIds, shape: PayloadVariant, writer: RootWriter): Promise<Gathered> {
    const rootBytes: RootBytes = {};
    const rootCuts: RootCuts = {};
    const limitOf = ({ inParts }: PlannedAction): number => (inParts ? Infinity : maxPayloadBytes);
    const remaining = new Map(plan.actions.map((action) => [action, limitOf(action)]));
    for (const root of payloadRoots.filter((one) => ids[one].length > 0)) {
      const senders = [...remaining.keys()].filter((action) => sends(action, root));
      const most = Math.max(0, ...senders.map((action) => remaining.get(action) ?? 0));
      if (senders.length === 0) continue;
      const pages = this.rows.read(plan.organizationId, shape, root, ids[root]);
      const cuts = new Cuts();
      const isTooLong = ids[root].length === maxRowsOf(plan);
      const bytes = isTooLong ? null : await written(writer, root, pages, most, cuts);
      if (bytes !== null) [rootBytes[root], rootCuts[root]] = [bytes, cuts.places];
      for (const action of senders) fill(remaining, action, bytes ?? Infinity);
    }
    const tooLarge = plan.actions.filter((action) => !remaining.has(action)).map(({ id }) => id);
    return { rootBytes, rootCuts, tooLarge: new Set(tooLarge) };
  }
}

/** Writes a root and returns its length; null, and nothing written, where that is more than `most`. */
async function written(
  writer: RootWriter,
  root: PayloadRoot,
  pages: AsyncIterable<string[]>,
  most: number,
  cuts: Cuts,
): Promise<number | null> {
  try {
    return await writer.write(root, pages, (bytes) => {
      if (bytes > most) throw new PayloadOverflow();
      cuts.at(bytes);
    });
  } catch (error) {
    if (!(error instanceof PayloadOverflow)) throw error;
    await writer.discard(root);
    return null;
  }
}

/** Subtracts the bytes from what remains of an action's payload; removes the action where they do not fit. */
function fill(remaining: Map<PlannedAction, number>, action: PlannedAction, bytes: number): void {
  const left = (remaining.get(action) ?? 0) - bytes;
  if (left < 0) remaining.delete(action);
  else remaining.set(action, left);
}

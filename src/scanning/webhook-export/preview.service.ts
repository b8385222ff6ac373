import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { includesRole, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { TooManyRequests } from '../../common/errors/kinds.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { payloadRoots } from '../workflows/payload-roots.js';
import type { PayloadShape } from '../workflows/workflow-run.entity.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { planOfWorkflow } from './export-plan.js';
import { ExportsRepository } from './exports.repository.js';
import { type Gathered, PayloadGatherer } from './payload-gatherer.js';
import { bodyBytes } from './payload-store.js';
import { PreviewSheet } from './preview-sheet.js';
import type { PreviewSizes, WorkflowPreview } from './preview.shapes.js';

// Unspecified: how much a preview shows; the newest of each root, unless the whole is asked for.
const shown = 20;
/** A preview costs as much as a run: on this node, two run at once, but one of an organization. */
const bounds = { atOnce: 2, atOncePerKey: 1, waiting: 64, waitingPerKey: 10, waitMs: 60_000 };
const retrySeconds = 5;

interface Seen extends Gathered {
  sheet: PreviewSheet;
}

/** Shows what a workflow would send, and sends nothing. */
@Injectable()
export class PreviewService {
  private readonly semaphore = new FairSemaphore(bounds);

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly exports: ExportsRepository,
    private readonly gatherer: PayloadGatherer,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Both shapes of what a run by hand would send now, gathered in the same way, with their sizes and the places of credentials
   * in the default one, which are masked for all but admins. `NotFound`; `TooManyRequests` where too many wait, or one waited
   * for too long.
   */
  async preview(caller: OrganizationCaller, workflowId: string, whole: boolean): Promise<WorkflowPreview | Readable> {
    try {
      const gather = () => this.unitOfWork.run(() => this.gathered(caller, workflowId, whole));
      return await this.semaphore.run(gather, { key: caller.organizationId });
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      throw new TooManyRequests(
        'Too many previews are being made: try again in a few seconds',
        retrySeconds,
        'previews_busy',
      );
    }
  }

  private async gathered(
    caller: OrganizationCaller,
    workflowId: string,
    whole: boolean,
  ): Promise<WorkflowPreview | Readable> {
    const { organizationId } = caller;
    await this.exports.takeSnapshot();
    const plan = planOfWorkflow(organizationId, await this.workflows.get(caller, workflowId));
    const ids = (await this.gatherer.find(plan)) ?? noIds();
    const choices = { shown: whole ? 0 : shown, whole, masked: !includesRole(caller.role, 'admin') };
    const look = async (shape: PayloadShape): Promise<Seen> => {
      const sheet = new PreviewSheet(choices);
      return { sheet, ...(await this.gatherer.gather(plan, ids, shape, sheet)) };
    };
    const seen = { default: await look('default'), scoped: await look('scoped') };
    const shape = await this.exports.shapeOf(organizationId);
    const { places, count } = seen.default.sheet.credentials();
    const summary = {
      shape,
      counts: Object.fromEntries(payloadRoots.map((root) => [root, ids[root].length])),
      bytes: { default: sizesOf(seen.default, ids), scoped: sizesOf(seen.scoped, ids) },
      actions: plan.actions.map(({ id, resources }) => {
        const { tooLarge, rootBytes } = seen[shape];
        return { id, payloadBytes: tooLarge.has(id) ? null : bodyBytes(rootBytes, resources) };
      }),
      credentials: places,
      credentialCount: count,
    };
    if (whole) return Readable.from(textOf(summary, seen), { objectMode: false });
    return { ...summary, default: seen.default.sheet.first(), scoped: seen.scoped.sheet.first() };
  }
}

type Ids = Record<(typeof payloadRoots)[number], string[]>;

function noIds(): Ids {
  return { issues: [], assets: [], scans: [], profiles: [], locations: [], integrations: [] };
}

/** The length of the array of each root; null where it is larger than any payload. */
function sizesOf({ rootBytes }: Gathered, ids: Ids): PreviewSizes {
  const bytes = payloadRoots.map((root) => [root, rootBytes[root] ?? (ids[root].length > 0 ? null : '[]'.length)]);
  return Object.fromEntries(bytes) as PreviewSizes;
}

async function* textOf(summary: object, seen: Record<PayloadShape, Seen>): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(summary).slice(0, -1)},"default":`;
  yield* seen.default.sheet.text();
  yield ',"scoped":';
  yield* seen.scoped.sheet.text();
  yield '}';
}

import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { includesRole, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { TooManyRequests } from '../../platform/errors/errors.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { assertConditions, assertDigests } from '../workflows/condition-rules.js';
import { payloadRoots } from '../workflows/payload-roots.js';
import { assertTrigger } from '../workflows/trigger-rules.js';
import { WorkflowActions } from '../workflows/workflow-actions.js';
import type { PayloadVariant } from '../workflows/workflow-run.entity.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import { type ExportPlan, noticesOf, planOfDraft, planOfWorkflow } from './export-plan.js';
import { ExportsRepository } from './exports.repository.js';
import { NoticePreviews, type NoticesToShow } from './notice-previews.js';
import { type Gathered, PayloadGatherer } from './payload-gatherer.js';
import { bodyBytes } from './payload-store.js';
import { PreviewSheet } from './preview-sheet.js';
import type { PreviewSizes, WorkflowPreview } from './preview.dto.js';
import type { WorkflowDraft } from './workflow-draft.dto.js';

// Unspecified: how much a preview shows; the newest of each root, unless the caller asks for the whole.
const shown = 20;
/** A preview costs as much as a run: on this node, two run at once, but one of an organization. */
const bounds = { atOnce: 2, atOncePerKey: 1, waiting: 64, waitingPerKey: 10, waitMs: 60_000 };
const retrySeconds = 5;

interface Shown {
  whole: boolean;
  saved: boolean;
  notices: NoticesToShow;
}

interface Seen extends Gathered {
  sheet: PreviewSheet;
}

/** Shows the payload of a workflow, and sends nothing. */
@Injectable()
export class PreviewService {
  private readonly semaphore = new FairSemaphore(bounds);

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly actions: WorkflowActions,
    private readonly exports: ExportsRepository,
    private readonly gatherer: PayloadGatherer,
    private readonly notices: NoticePreviews,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Both variants of the payload of a run by hand now, gathered in the same way, with their sizes and the places of
   * credentials in the default one, which are masked for all but admins; and what its notifications would say. `NotFound`; `TooManyRequests` where too many
   * wait, or one waited for too long.
   */
  preview(caller: OrganizationCaller, workflowId: string, whole: boolean): Promise<WorkflowPreview | Readable> {
    return this.inTurn(caller, async () => {
      const workflow = await this.workflows.get(caller, workflowId);
      const plan = planOfWorkflow(caller.organizationId, workflow);
      const notices = { workflow, actions: noticesOf(workflow.actions) };
      return this.gathered(caller, plan, { whole, saved: true, notices });
    });
  }

  /**
   * `preview` of an unsaved workflow; `Invalid` for a trigger, conditions or actions with which it could not be saved.
   */
  async previewDraft(
    caller: OrganizationCaller,
    draft: WorkflowDraft,
    whole: boolean,
  ): Promise<WorkflowPreview | Readable> {
    const plan = planOfDraft(caller.organizationId, draft);
    assertTrigger(draft.trigger);
    assertConditions(plan.trigger, plan.conditions, { conditions: true });
    assertDigests(plan.trigger, draft.actions ?? []);
    await this.actions.assertDraft(draft.actions ?? []);
    // Unspecified: the name in the notifications of a workflow that has none yet.
    const workflow = { id: '', name: draft.name || 'This workflow' };
    const actions = noticesOf(draft.actions ?? []).map((notice) => ({ ...notice, id: null }));
    const notices = { workflow, actions };
    return this.inTurn(caller, () => this.gathered(caller, plan, { whole, saved: false, notices }));
  }

  /** Runs `gather` in a snapshot of the database, when it is the organization's turn. */
  private inTurn<T>({ organizationId }: OrganizationCaller, gather: () => Promise<T>): Promise<T> {
    const inSnapshot = async (): Promise<T> => {
      await this.exports.takeSnapshot();
      return gather();
    };
    const sentence = 'Too many previews are in progress: try again in a few seconds';
    const refusal = () => new TooManyRequests(sentence, retrySeconds, 'previews_busy');
    return this.semaphore.run(() => this.unitOfWork.run(inSnapshot), {
      isForCaller: true,
      key: organizationId,
      refusal,
    });
  }

  private async gathered(
    { organizationId, role }: OrganizationCaller,
    plan: ExportPlan,
    { whole, saved, notices }: Shown,
  ): Promise<WorkflowPreview | Readable> {
    const found = await this.gatherer.find(plan);
    const [ids, matching] = [found?.sent ?? noIds(), found?.matching ?? noIds()];
    const choices = { shown: whole ? 0 : shown, whole, masked: !includesRole(role, 'admin') };
    const look = async (shape: PayloadVariant): Promise<Seen> => {
      const sheet = new PreviewSheet(choices);
      return { sheet, ...(await this.gatherer.gather(plan, ids, shape, sheet)) };
    };
    const seen = { default: await look('default'), scoped: await look('scoped') };
    const { variant: shape, name } = await this.exports.organizationOf(organizationId);
    const { places, count } = seen.default.sheet.credentials();
    const summary = {
      shape,
      counts: countsOf(ids),
      matches: countsOf(matching),
      bytes: { default: sizesOf(seen.default, ids), scoped: sizesOf(seen.scoped, ids) },
      actions: plan.actions.map(({ id, resources }) => {
        const { tooLarge, rootBytes } = seen[shape];
        return { id: saved ? id : null, payloadBytes: tooLarge.has(id) ? null : bodyBytes(rootBytes, resources) };
      }),
      notifications: await this.notices.show({ id: organizationId, name }, plan, matching, notices),
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

function countsOf(ids: Ids): Record<string, number> {
  return Object.fromEntries(payloadRoots.map((root) => [root, ids[root].length]));
}

/** The length of the array of each root; null if it is larger than any payload. */
function sizesOf({ rootBytes }: Gathered, ids: Ids): PreviewSizes {
  const bytes = payloadRoots.map((root) => [root, rootBytes[root] ?? (ids[root].length > 0 ? null : '[]'.length)]);
  return Object.fromEntries(bytes) as PreviewSizes;
}

async function* textOf(summary: object, seen: Record<PayloadVariant, Seen>): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(summary).slice(0, -1)},"default":`;
  yield* seen.default.sheet.text();
  yield ',"scoped":';
  yield* seen.scoped.sheet.text();
  yield '}';
}

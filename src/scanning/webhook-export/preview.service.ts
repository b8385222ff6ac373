import { Injectable } from '@nestjs/common';
import { includesRole, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { maskParameters, type Parameters, secretPaths } from '../integrations/parameter-masks.js';
import { type PayloadRoot, payloadRoots } from '../workflows/payload-roots.js';
import { WorkflowsService } from '../workflows/workflows.service.js';
import type { Workflow } from '../workflows/workflows.shapes.js';
import { type MatchingIds, MatchingRepository } from './matching.repository.js';
import { PayloadRows } from './payload-rows.js';
import type { PayloadShape } from './payload-rows.repository.js';
import type { WorkflowPreview } from './preview.shapes.js';

// Not shown: how much a preview shows; the newest of each root, for it is one answer and a payload can have 50 MiB.
const shownRows = 100;

type Payload = Record<PayloadRoot, Record<string, unknown>[]>;

/** Shows what a workflow would send, and sends nothing. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly matching: MatchingRepository,
    private readonly rows: PayloadRows,
  ) {}

  /**
   * Both shapes of a payload of what matches now, and where the default one carries credentials; `NotFound`. A trigger by
   * an event is shown as if it were about everything that matches.
   */
  async preview(caller: OrganizationCaller, workflowId: string): Promise<WorkflowPreview> {
    const { organizationId } = caller;
    const workflow = await this.workflows.get(caller, workflowId);
    const { conditions, trigger } = workflow;
    const query = { organizationId, conditions, trigger: trigger.type, subjects: null, limit: shownRows };
    const ids = onlyWanted(await this.matching.find(query), workflow);
    const whole = await this.payload(organizationId, 'default', ids);
    const credentials = credentialsOf(whole);
    if (!includesRole(caller.role, 'admin')) maskIn(whole);
    return { default: whole, scoped: await this.payload(organizationId, 'scoped', ids), credentials };
  }

  private async payload(organizationId: string, shape: PayloadShape, ids: MatchingIds): Promise<Payload> {
    const payload: Payload = { issues: [], assets: [], scans: [], profiles: [], locations: [], integrations: [] };
    for (const root of payloadRoots) {
      for await (const json of this.rows.read(organizationId, shape, root, ids[root])) {
        payload[root].push(JSON.parse(json) as Record<string, unknown>);
      }
    }
    return payload;
  }
}

/** Without the roots that none of the actions sends. */
function onlyWanted(ids: MatchingIds, { actions }: Workflow): MatchingIds {
  const isWanted = (root: PayloadRoot): boolean =>
    actions.some(({ parameters }) => parameters.resources?.includes(root) ?? true);
  const wanted = payloadRoots.map((root) => [root, isWanted(root) ? ids[root] : []]);
  return Object.fromEntries(wanted) as MatchingIds;
}

function credentialsOf({ integrations }: Payload): string[] {
  return integrations.flatMap(({ parameters }, index) =>
    secretPaths(parameters as Parameters).map((path) => `integrations[${index}].parameters.${path}`),
  );
}

function maskIn({ integrations }: Payload): void {
  for (const integration of integrations) {
    integration['parameters'] = maskParameters(integration['parameters'] as Parameters);
  }
}

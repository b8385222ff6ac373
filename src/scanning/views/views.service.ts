import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AuditChanges, changesOf } from '../../platform/audit/audit-changes.js';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Conflict, Forbidden, found } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { type Page, pageOf } from '../../platform/http/cursor.js';
import { AccountRemovals, MemberRemovals } from '../../platform/removal-steps.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { IssueConditions } from '../issues/issue-filter.dto.js';
import type { SearchPaging } from '../search-paging.js';
import { toView } from './views.mapper.js';
import { ViewsRepository } from './views.repository.js';
import type { View, ViewCreate, ViewUpdate } from './views.dto.js';

const taken = () =>
  new Conflict('There is already a view with this name: use that one, or another name', 'view_exists');
const nameTaken = { issue_views_shared_name_key: taken, issue_views_own_name_key: taken };

/** A workflow's conditions name a view that is none of the organization. */
export class ViewGone extends Invalid {
  constructor() {
    const msg = 'The organization has no such view, or it is private now: choose one that GET /views lists as shared';
    super([{ loc: ['body', 'conditions', 'viewId'], msg, type: 'value_error' }]);
  }
}

/** The saved views of an organization and of its members. */
@Injectable()
export class ViewsService implements OnModuleInit {
  constructor(
    private readonly repository: ViewsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly members: MemberRemovals,
    private readonly accounts: AccountRemovals,
  ) {}

  onModuleInit(): void {
    this.members.add(({ organizationId, userId }) => this.repository.removeOf(userId, organizationId));
    this.accounts.add(({ userId }) => this.repository.removeOf(userId, null));
  }

  /** A page of the views that the caller sees, newest first; `search` is found in the name. `Invalid` for a broken cursor. */
  async list({ organizationId, userId }: OrganizationCaller, paging: SearchPaging): Promise<Page<View>> {
    return pageOf(await this.repository.page(organizationId, userId, paging), paging.size, toView);
  }

  /** Saves a view; `Conflict` if there is one of this name, `Invalid` for a private one of an API key. */
  create({ organizationId, userId }: OrganizationCaller, view: ViewCreate): Promise<View> {
    const { name, shared, filter, sort } = view;
    // Unspecified: whose a private view of an API key would be. Nobody's, so it makes only shared ones.
    if (!shared && userId === null) {
      throw Invalid.at(['body', 'shared'], 'value_error', 'An API key makes views for the organization: send true');
    }
    const row = { id: uuidV7(), organizationId, ownerId: userId, name, shared, filter: given(filter), sort };
    return this.unitOfWork.run(async () => {
      const made = toView(await refuseViolations(this.repository.insert(row), nameTaken));
      await this.record('view.created', organizationId, made, audited(null, made));
      return made;
    });
  }

  /** One view; `NotFound` if the caller sees none. */
  async get({ organizationId, userId }: OrganizationCaller, id: string): Promise<View> {
    return toView(found(await this.repository.byId(organizationId, userId, id), 'View'));
  }

  /**
   * Changes the given fields of a view; `NotFound` if the caller sees none, `Conflict` where another has the name, `Forbidden`
   * for others than the owner to make it private.
   */
  update({ organizationId, userId }: OrganizationCaller, id: string, changes: ViewUpdate): Promise<View> {
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.byIdForUpdate(organizationId, userId, id), 'View');
      if (before.shared && changes.shared === false && (userId === null || before.ownerId !== userId)) {
        throw new Forbidden('Only the one who made a view can take it from the organization: make one of your own');
      }
      const { filter, ...rest } = changes;
      const wanted = { ...rest, ...(filter ? { filter: given(filter) } : {}) };
      const write = this.repository.update(organizationId, id, wanted);
      const after = found(await refuseViolations(write, nameTaken), 'View');
      await this.record('view.updated', organizationId, after, audited(before, after));
      return toView(after);
    });
  }

  /** Deletes a view; `NotFound` if the caller sees none. */
  async remove({ organizationId, userId }: OrganizationCaller, id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = found(await this.repository.byIdForUpdate(organizationId, userId, id), 'View');
      await this.repository.remove(organizationId, id);
      await this.record('view.deleted', organizationId, before);
    });
  }

  /** `ViewGone` where the conditions of a workflow name a view that is none of the organization. */
  async assertShared(organizationId: string, id: string | undefined): Promise<void> {
    if (id !== undefined) await this.filterFor(organizationId, id);
  }

  /** The filter of a view of the organization, for a workflow; `ViewGone` where there is none. */
  async filterFor(organizationId: string, id: string): Promise<IssueConditions> {
    const view = await this.repository.byId(organizationId, null, id);
    if (!view) throw new ViewGone();
    return view.filter;
  }

  private async record(
    action: AuditAction,
    organizationId: string,
    { id, name }: View,
    changes?: AuditChanges,
  ): Promise<void> {
    await this.audit.record({ action, organizationId, subject: { id, name }, ...(changes ? { changes } : {}) });
  }
}

/** The conditions that were sent. */
function given(filter: IssueConditions): IssueConditions {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function audited(before: View | null, after: View): AuditChanges {
  return changesOf<View>(before, after, { shown: ['name', 'shared', 'filter', 'sort'] });
}

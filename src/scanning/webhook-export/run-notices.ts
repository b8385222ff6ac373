import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import { NoticeMembersService } from '../notifications/notice-members.service.js';
import type { Notice, NoticeItem } from '../notifications/notice.js';
import { mostSingleMessages } from '../notifications/notification-kinds.js';
import { type NoticeSubject, NoticesService } from '../notifications/notices.service.js';
import { DigestsService } from '../workflows/digests.service.js';
import { ActionSecrets } from '../workflows/action-secrets.js';
import { sealedBodyPlace } from './delivery-bodies.js';
import { type ExportPlan, isExport, rootOf } from './export-plan.js';
import type { NewDelivery, PendingRun, RunAction } from './exports.repository.js';
import type { MatchingIds } from './matching.repository.js';

/** What the notifications of a run make: deliveries, remarks, and what goes wrong. */
export interface MadeNotices {
  deliveries: NewDelivery[];
  remarks: string[];
  trouble: string | null;
}

export const noMails = 'Not mailed: this service sends no mails, since SMTP_URL is not set';
export const noMembers = 'Not mailed: none of the members is in the organization any more, or has an address';

/** Makes the notifications of a run: a delivery for each message, and mails in the queue, all in the unit of the run. */
@Injectable()
export class RunNotices {
  constructor(
    private readonly notices: NoticesService,
    private readonly members: NoticeMembersService,
    private readonly digests: DigestsService,
    private readonly secrets: ActionSecrets,
    private readonly box: SecretBox,
  ) {}

  /** Makes the messages of a run's notifications, queues its mails, and keeps what waits for a digest. */
  async send(plan: ExportPlan, run: PendingRun, matching: MatchingIds): Promise<MadeNotices> {
    const made: MadeNotices = { deliveries: [], remarks: [], trouble: null };
    const notifying = run.actions.filter((action) => !isExport(action));
    if (notifying.length === 0) return made;
    const subject = subjectOf(plan, run, matching);
    const waits = ({ digest }: RunAction) => digest !== null && plan.subjects !== null && run.digestActionId === null;
    for (const { id: actionId, digest } of notifying.filter(waits)) {
      if (digest === null) continue;
      const gathering = { actionId, runId: run.id, trigger: run.trigger, subjects: subject.ids };
      await this.digests.gather(gathering, digest, run.timeZone);
      made.remarks.push(`Gathered for the ${digest} digest`);
    }
    const sending = notifying.filter((action) => !waits(action));
    if (sending.length > 0) await this.sendNow(subject, sending, made);
    return { ...made, remarks: [...new Set(made.remarks)] };
  }

  private async sendNow(subject: NoticeSubject, actions: RunAction[], made: MadeNotices): Promise<void> {
    const opened = actions.map((action) => ({ action, parameters: this.secrets.open(action.id, action.sealed) }));
    const notice = await this.notices.noticeOf(subject);
    const single = opened.some(({ parameters }) => parameters.perIssue) ? await this.notices.single(subject) : [];
    for (const { action, parameters } of opened) {
      if (action.kind === 'EMAIL') {
        const mailed = await this.mail(subject.organization.id, action, notice);
        if (mailed === null) made.remarks.push(noMails);
        if (mailed === 0) made.trouble = noMembers;
        continue;
      }
      made.deliveries.push(...this.deliveriesOf(subject.organization.id, action, notice, single));
      const left = subject.ids.length - single.length;
      if (parameters.perIssue && left > 0) {
        made.remarks.push(`Only the worst ${mostSingleMessages} issues have a message of their own: ${left} have none`);
      }
    }
  }

  /** An invented notice of a workflow, marked as a test. */
  sample(subject: Pick<NoticeSubject, 'organization' | 'workflow' | 'trigger'>): Notice {
    return this.notices.sample(subject);
  }

  /** Mails a notice to the members of an action; null where this service sends no mails. */
  mail(organizationId: string, action: RunAction, notice: Notice): Promise<number | null> {
    const { memberIds = [] } = this.secrets.open(action.id, action.sealed);
    return this.members.send(organizationId, memberIds, notice);
  }

  /** The bodies that an action sends, as text. */
  bodiesOf(action: RunAction, notice: Notice, single: NoticeItem[]): Buffer[] {
    if (action.kind === 'EMAIL' || action.kind === 'WEBHOOK') return [];
    const { template = null, perIssue = false } = this.secrets.open(action.id, action.sealed);
    const bodies = this.notices.bodies({ kind: action.kind, template, perIssue }, notice, single);
    return bodies.map((body) => Buffer.from(JSON.stringify(body)));
  }

  private deliveriesOf(organizationId: string, action: RunAction, notice: Notice, single: NoticeItem[]): NewDelivery[] {
    const { url } = this.secrets.open(action.id, action.sealed);
    return this.bodiesOf(action, notice, single).map((body) => {
      const id = uuidV7();
      return {
        id,
        actionId: action.id,
        urlSealed: this.box.seal(url, sealedUrlPlace(id)),
        bodySealed: this.box.seal(body.toString(), sealedBodyPlace(id)),
        resources: null,
        payloadBytes: body.length,
        part: null,
        parts: null,
        partRanges: null,
        flags: receiverFlags({ sender: organizationId, url }),
      };
    });
  }
}

/** What a run's notifications are about. */
function subjectOf(plan: ExportPlan, run: PendingRun, matching: MatchingIds): NoticeSubject {
  const root = rootOf(plan);
  const { organization, workflow, trigger } = run;
  return { organization, workflow, trigger, root, ids: matching[root], issueIds: matching.issues };
}

import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { greeting, inertText } from '../../platform/mail/header-text.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { OrganizationRecipients } from '../organizations/organization-recipients.js';
import { type TroubledWorkflow, WorkflowTroublesRepository } from './workflow-troubles.repository.js';

const longestName = 200;

/** Mails the admins of an organization that a workflow does not work, once, and once that it works again. */
@Injectable()
export class WorkflowTroublesService {
  constructor(
    private readonly repository: WorkflowTroublesRepository,
    private readonly recipients: OrganizationRecipients,
    private readonly mailer: Mailer,
    private readonly links: MailLinks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Something of a workflow fails: an action, or with the workflow's own id, its runs. */
  async begin(id: string, reason: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const workflow = await this.repository.begin(id, reason);
      if (!workflow) return;
      await this.mail(workflow, {
        subject: (name) => `The workflow ${name} does not work`,
        text: (name) => `Something of the workflow ${name} does not reach its receiver.`,
        reason,
        ending: 'You get no further mail about it until it works again.',
      });
    });
  }

  /** Forgets the actions of a workflow that are gone, in the unit of the change. */
  forgetRemoved(workflowId: string): Promise<void> {
    return this.repository.prune(workflowId);
  }

  /** It works again. */
  async end(id: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const workflow = await this.repository.end(id);
      if (!workflow) return;
      await this.mail(workflow, {
        subject: (name) => `The workflow ${name} works again`,
        text: (name) => `What the workflow ${name} sends arrives again.`,
        reason: null,
        ending: 'What was given up meanwhile is sent again from the page of its deliveries.',
      });
    });
  }

  private async mail({ id, name, organizationId, organizationName }: TroubledWorkflow, words: Words): Promise<void> {
    if (!this.mailer.isOn) return;
    const workflow = `“${inertText(name, longestName)}”`;
    const organization = `“${inertText(organizationName, longestName)}”`;
    const path = `/console/scanning/workflows/${id}/deliveries`;
    const link = { label: 'Open its deliveries', url: this.links.to(path, { organization: organizationId }) };
    const { reason } = words;
    for (const admin of await this.recipients.mailableAdmins(organizationId)) {
      const mail = {
        account: admin.id,
        to: { address: admin.email, name: admin.username },
        subject: `${words.subject(workflow)} in ${organization}`,
        blocks: [
          { text: greeting(admin.username) },
          { text: words.text(workflow) },
          ...(reason === null ? [] : [{ rows: [['Reason', reason]] as [string, string][] }]),
          { button: link },
          { text: words.ending },
        ],
      };
      const values = { organization, workflow, link };
      if (reason === null) await this.mailer.send({ ...mail, kind: 'workflow-recovered', values });
      else await this.mailer.send({ ...mail, kind: 'workflow-trouble', values: { ...values, reason } });
    }
  }
}

interface Words {
  subject: (workflow: string) => string;
  text: (workflow: string) => string;
  /** Null when it works again. */
  reason: string | null;
  ending: string;
}

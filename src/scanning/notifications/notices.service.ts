import { Injectable } from '@nestjs/common';
import { onOneLine } from '../../platform/mail/header-text.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { consoleLink } from '../console-link.js';
import { withoutSecrets } from '../secret-free-text.js';
import type { WorkflowTriggerType } from '../vocabulary.js';
import type { Notice, NoticeItem, NoticeRoot } from './notice.js';
import { type FactRow, NoticeFactsRepository } from './notice-facts.repository.js';
import { discordMessage, slackMessage, teamsMessage } from './notice-formats.js';
import { mailText } from './notice-members.service.js';
import { readTexts } from './notice-texts.js';
import { renderTemplate } from './notice-template.js';
import { titleOf } from './notice-words.js';
import { mostSingleMessages, type NotificationKind } from './notification-kinds.js';

/** How many things a notification names. */
const named = 10;
const longestText = 200;

/** The run that a notification is about. */
export interface NoticeSubject {
  organization: { id: string; name: string };
  workflow: { id: string; name: string };
  trigger: WorkflowTriggerType;
  /** What happened to these. */
  root: NoticeRoot;
  ids: string[];
  /** The issues among it, to be counted. */
  issueIds: string[];
}

/** How an action words its messages. */
export interface MessageForm {
  kind: Exclude<NotificationKind, 'EMAIL'>;
  template: object | null;
  perIssue: boolean;
}

/** What an action would say. */
export interface ReadMessages {
  count: number;
  messages: string[];
}

/** How many messages of an action are read, and how much of each. */
export const mostRead = 3;
const longestRead = 12_000;

const cut = (text: string): string =>
  text.length > longestRead ? `${text.slice(0, longestRead).toWellFormed()}…` : text;

/** A text for people: one line, bounded, without credentials. */
function shown(text: string | null): string {
  return withoutSecrets(onOneLine(text ?? '', longestText));
}

/** Makes what notifications say. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly facts: NoticeFactsRepository,
    private readonly links: MailLinks,
  ) {}

  /** What happened, in counts, and the worst of it by name, with place and link. */
  async noticeOf(subject: NoticeSubject): Promise<Notice> {
    const { organization, workflow, trigger, root, ids, issueIds } = subject;
    const issues = await this.facts.counts(organization.id, issueIds);
    const rows = await this.facts.first(organization.id, root, ids, named);
    const items = rows.map((row) => this.itemOf(organization.id, root, row));
    return {
      title: titleOf(trigger, root, ids.length, issues),
      organization: shown(organization.name),
      workflow: shown(workflow.name),
      trigger,
      url: this.pageOf(organization.id, root, items),
      issues,
      total: ids.length,
      items,
      more: Math.max(0, ids.length - items.length),
    };
  }

  /** An invented notice, marked as a test, with one issue. */
  sample({ organization, workflow, trigger }: Pick<NoticeSubject, 'organization' | 'workflow' | 'trigger'>): Notice {
    const url = consoleLink(this.links, organization.id, 'issues');
    const item: NoticeItem = {
      id: '00000000-0000-4000-8000-000000000000',
      name: 'SQL injection in the search',
      severity: 'HIGH',
      category: 'INJECTION',
      status: 'OPEN',
      place: 'src/search.ts:42',
      asset: 'web shop',
      url,
    };
    return {
      title: 'This is a test: 1 new issue: 1 high',
      organization: shown(organization.name),
      workflow: shown(workflow.name),
      trigger,
      url,
      issues: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0, INFO: 0 },
      total: 1,
      items: [item],
      more: 0,
    };
  }

  /** The issues of a notification each by itself, the worst first, as many as one run sends. */
  async single({ organization, root, ids }: NoticeSubject): Promise<NoticeItem[]> {
    if (root !== 'issues') return [];
    const rows = await this.facts.first(organization.id, root, ids, mostSingleMessages);
    return rows.map((row) => this.itemOf(organization.id, root, row));
  }

  /** The bodies of an action's messages: one, or one for each of `items` where it sends these one by one. */
  bodies({ kind, template, perIssue }: MessageForm, notice: Notice, items: NoticeItem[]): object[] {
    const write = {
      SLACK: slackMessage,
      TEAMS: teamsMessage,
      DISCORD: discordMessage,
      TEMPLATE: (one: Notice) => renderTemplate(template ?? {}, one, perIssue ? one.items[0] : undefined),
    }[kind];
    return perIssue ? items.map((item) => write(about(notice, item))) : [write(notice)];
  }

  /** The first messages of an action, each as its readers see it, and how many there are. */
  read(kind: NotificationKind, form: Omit<MessageForm, 'kind'>, notice: Notice, items: NoticeItem[]): ReadMessages {
    const count = form.perIssue && kind !== 'EMAIL' ? items.length : 1;
    const texts =
      kind === 'EMAIL'
        ? [mailText(notice)]
        : this.bodies({ ...form, kind }, notice, items.slice(0, mostRead)).map(readTexts[kind]);
    return { count, messages: texts.map((text) => cut(text)) };
  }

  private itemOf(organizationId: string, root: NoticeRoot, row: FactRow): NoticeItem {
    const { id, severity, category, status } = row;
    return {
      id,
      name: shown(row.name),
      severity,
      category,
      status,
      place: shown(row.place),
      asset: shown(row.asset),
      url: consoleLink(this.links, organizationId, root, id),
    };
  }

  private pageOf(organization: string, root: NoticeRoot, items: NoticeItem[]): string {
    const [only, ...more] = items;
    return only && more.length === 0 ? only.url : consoleLink(this.links, organization, root);
  }
}

/** A notice about one issue of it. */
function about(notice: Notice, item: NoticeItem): Notice {
  const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
  const issues = item.severity === null ? none : { ...none, [item.severity]: 1 };
  const title = `${item.severity === null ? '' : `${item.severity}: `}${item.name}`;
  return { ...notice, title, url: item.url, issues, total: 1, items: [item], more: 0 };
}

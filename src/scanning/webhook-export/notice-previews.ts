import { Injectable } from '@nestjs/common';
import { NoticesService, type NoticeSubject } from '../notifications/notices.service.js';
import { maskTemplate } from '../notifications/template-masks.js';
import { type ExportPlan, type PlannedNotice, rootOf } from './export-plan.js';
import type { MatchingIds } from './matching.repository.js';
import type { PreviewedNotice } from './preview.dto.js';

/** What a workflow that is previewed tells people. */
export interface NoticesToShow {
  workflow: { id: string; name: string };
  actions: PlannedNotice[];
}

/** Shows what the notifications of a workflow would say, and tells nobody. */
@Injectable()
export class NoticePreviews {
  constructor(private readonly notices: NoticesService) {}

  /** The messages of these actions about what matches now. */
  async show(
    organization: NoticeSubject['organization'],
    plan: ExportPlan,
    matching: MatchingIds,
    { workflow, actions }: NoticesToShow,
  ): Promise<PreviewedNotice[]> {
    if (actions.length === 0) return [];
    const root = rootOf(plan);
    const { trigger } = plan;
    const subject = { organization, workflow, trigger, root, ids: matching[root], issueIds: matching.issues };
    const notice = await this.notices.noticeOf(subject);
    const single = actions.some(({ perIssue }) => perIssue) ? await this.notices.single(subject) : [];
    return actions.map(({ id, kind, template, perIssue }) => {
      const form = { template: template && maskTemplate(template), perIssue };
      return { id, integrationKind: kind, ...this.notices.read(kind, form, notice, single) };
    });
  }
}

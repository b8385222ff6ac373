import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { startOf } from '../../platform/http/cursor.js';
import {
  type IssueExportCount,
  type IssueExportRow,
  IssueExportRowsRepository,
} from './issue-export-rows.repository.js';
import type { IssueConditions } from './issue-filter.dto.js';
import { filtersOf } from './issue-filters.statements.js';

const pageRows = 500;

/** The issues of an export: the first page at once, the others as they are asked for. */
export interface IssueExportRows {
  organization: string;
  counts: IssueExportCount[];
  pages: AsyncGenerator<IssueExportRow[]>;
}

/** Reads issues for exports by their filters, a page at a time, so that their number does not matter. */
@Injectable()
export class IssueExportRowsService {
  constructor(private readonly repository: IssueExportRowsRepository) {}

  /** The issues that match, newest first; the counts where they are asked for. Refusals come before the first page. */
  async read(
    { organizationId, userId }: OrganizationCaller,
    conditions: IssueConditions,
    counted: boolean,
  ): Promise<IssueExportRows> {
    const given = filtersOf(conditions, userId);
    const pageAfter = (after: readonly unknown[]) => this.repository.page(organizationId, after, pageRows, given);
    const counts = counted ? await this.repository.counts(organizationId, given) : [];
    const first = await pageAfter(startOf(undefined));
    const pages = async function* (): AsyncGenerator<IssueExportRow[]> {
      for (let page = first; page.length > 0;) {
        yield page;
        const last = page.at(-1);
        page = last && page.length === pageRows ? await pageAfter([last.createdAt, last.id]) : [];
      }
    };
    return { organization: await this.repository.organizationName(organizationId), counts, pages: pages() };
  }
}

import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { MailLinks } from '../../platform/mail/mail-links.js';
import { consoleLink } from '../console-link.js';
import type { IssueExportRow } from '../issues/issue-export-rows.repository.js';
import { IssueExportRowsService } from '../issues/issue-export-rows.service.js';
import { csvExport } from './csv-export.js';
import type { ExportWriter, MakeWriter } from './export-formats.js';
import { htmlExport } from './html-export.js';
import type { ExportFormat, IssueExportQuery } from './issue-exports.dto.js';
import { jsonlExport } from './jsonl-export.js';
import { sarifExport } from './sarif-export.js';
import { vexExport } from './vex-export.js';

const formats: Record<ExportFormat, { write: MakeWriter; type: string; extension: string }> = {
  csv: { write: csvExport, type: 'text/csv; charset=utf-8', extension: 'csv' },
  jsonl: { write: jsonlExport, type: 'application/x-ndjson; charset=utf-8', extension: 'jsonl' },
  sarif: { write: sarifExport, type: 'application/sarif+json', extension: 'sarif' },
  'cyclonedx-vex': { write: vexExport, type: 'application/vnd.cyclonedx+json; version=1.6', extension: 'cdx.json' },
  html: { write: htmlExport, type: 'text/html; charset=utf-8', extension: 'html' },
};

export interface ExportFile {
  body: Readable;
  type: string;
  name: string;
}

/** Exports issues as files of several formats. */
@Injectable()
export class IssueExportsService {
  constructor(
    private readonly rows: IssueExportRowsService,
    private readonly links: MailLinks,
  ) {}

  /**
   * The issues that match, as a file: read a page at a time, at the reader's pace. The first page is there before the
   * answer begins, so that it can still be refused.
   */
  async export(caller: OrganizationCaller, { format, ...conditions }: IssueExportQuery): Promise<ExportFile> {
    const { write, type, extension } = formats[format];
    const { organization, counts, pages } = await this.rows.read(caller, conditions, format === 'html');
    const linkTo = (issue: string) => consoleLink(this.links, caller.organizationId, 'issues', issue);
    const writer = write({ organization, madeAt: new Date(), counts, linkTo });
    return { body: Readable.from(textOf(writer, pages), { objectMode: false }), type, name: `issues.${extension}` };
  }
}

async function* textOf(writer: ExportWriter, pages: AsyncIterable<IssueExportRow[]>): AsyncGenerator<string> {
  yield writer.head();
  for await (const page of pages) yield page.map((row) => writer.issue(row)).join('');
  yield writer.tail();
}

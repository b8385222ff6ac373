import { EnumField } from '../../platform/validation/fields.js';
import { IssueConditions } from '../issues/issue-filter.dto.js';

export const exportFormats = ['csv', 'jsonl', 'sarif', 'cyclonedx-vex', 'html'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export class IssueExportQuery extends IssueConditions {
  @EnumField(exportFormats, {
    description:
      'csv for spreadsheets; jsonl with one object a line; sarif for SARIF 2.1.0; cyclonedx-vex for VEX by CycloneDX ' +
      '1.6; html for a report that prints well',
    example: 'csv',
  })
  format: ExportFormat;
}

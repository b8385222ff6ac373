import type {
  IdentifierType,
  IssueFix,
  IssueFixChange,
  IssuePlace,
  IssueRule,
  IssueSuppression,
  StepType,
} from './issue-detail.dto.js';

/** Without what is null or empty, which most fields of most findings are. */
type Compact<T> = { [Field in keyof T]?: NonNullable<T[Field]> };

export type FoundPlace = Compact<IssuePlace>;

export interface FoundEvidence {
  type: StepType;
  message?: string;
  steps: FoundPlace[];
}

export interface FoundFix extends Compact<Omit<IssueFix, 'changes'>> {
  changes: Compact<IssueFixChange>[];
}

export interface FoundIdentifier {
  type: IdentifierType;
  value: string;
}

/** What a report says of a finding beyond what every issue has. */
export interface FindingDetail {
  message?: string;
  identifiers?: FoundIdentifier[];
  tags?: string[];
  score?: number;
  rank?: number;
  locations?: FoundPlace[];
  evidence?: FoundEvidence[];
  fixes?: FoundFix[];
  suppressions?: Compact<IssueSuppression>[];
  properties?: Record<string, unknown>;
}

/** A rule of a tool, which many findings share. */
export type FindingRule = Compact<IssueRule> & { id: string };

/** A rule as it is kept: once in an organization, whichever scans name it. */
export interface KnownRule {
  digest: string;
  json: string;
}

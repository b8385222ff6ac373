import type { IssueSeverity } from '../vocabulary.js';
import { type Fields, fieldsOf, firstText } from './report-text.js';
import { levelOf, type SarifLevel, type SarifRule, scoreOf } from './sarif-rules.js';

const severityOfLevel: Record<SarifLevel, IssueSeverity> = {
  error: 'HIGH',
  warning: 'MEDIUM',
  note: 'LOW',
  none: 'INFO',
};

function severityOfScore(score: number | null): IssueSeverity | null {
  if (score === null || score <= 0) return null;
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  return score >= 4 ? 'MEDIUM' : 'LOW';
}

/** The severity of a result: by its score or its rule's, else by its level or its rule's; informational ones are INFO. */
export function severityOf(result: Fields, rule: SarifRule | undefined): IssueSeverity {
  const kind = firstText(50, result['kind'], 'fail');
  if (kind === 'informational') return 'INFO';
  const rated = severityOfScore(scoreOf(fieldsOf(result['properties'])) ?? rule?.score ?? null);
  if (rated) return rated;
  const given = levelOf(result['level']);
  if (given) return severityOfLevel[given];
  // Section 3.27.10: a result that is no failure has the level none.
  return severityOfLevel[kind === 'fail' ? (rule?.level ?? 'warning') : 'none'];
}

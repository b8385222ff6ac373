import { fieldsOf, textOf } from './report-text.js';

// Unspecified: how many reasons of a failure are kept.
const maxReasons = 20;
const maxReason = 500;

/** How a run ended, by its invocations (SARIF 2.1.0, section 3.20). */
export class SarifFailures {
  static readonly fields = [
    'executionSuccessful',
    'exitCodeDescription',
    'exitSignalName',
    'processStartFailureMessage',
    'toolExecutionNotifications[]',
    'toolConfigurationNotifications[]',
  ] as const;

  private isFailed = false;
  private readonly reasons = new Set<string>();

  take(field: string, value: unknown): void {
    if (field === 'executionSuccessful') this.isFailed ||= value === false;
    // Section 3.20.26: the tool did not even start.
    if (field === 'processStartFailureMessage') this.isFailed ||= textOf(value, maxReason) !== '';
    if (field !== 'executionSuccessful')
      this.add(field.endsWith('Notifications') ? errorIn(value) : textOf(value, maxReason));
  }

  /** Why the run failed; null if it did not. */
  get reason(): string | null {
    if (!this.isFailed) return null;
    return [...this.reasons].join('\n') || 'The tool gives no reason (executionSuccessful is false)';
  }

  private add(reason: string): void {
    if (reason !== '' && this.reasons.size < maxReasons) this.reasons.add(reason);
  }
}

/** The text of a notification of an error; empty for others. */
function errorIn(notification: unknown): string {
  const { level, message } = fieldsOf(notification);
  const { text, markdown } = fieldsOf(message);
  return level === 'error' ? textOf(text, maxReason) || textOf(markdown, maxReason) : '';
}

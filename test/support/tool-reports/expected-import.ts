/** A report as a tool writes it, and the result of its import. */
export interface ToolReport {
  tool: string;
  content: object | string;
  query?: string;
  findings: number;
  skipped?: number;
  /** The issues: test, severity, category and status, in the order of the tests. */
  issues: [test: string, severity: string, category: string, status?: string][];
  assets: string[];
  targets: string[];
  status?: 'FAILED';
}

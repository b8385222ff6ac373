import { tracing } from '../platform/tracing/tracing.js';

/** A statement, which may have a name. */
type Sql = { readonly name: string; readonly text: string } | string;

/**
 * Marks the payload of a job in a statement that queues it. If the statement runs in a trace, the payload gets the
 * statement's `traceparent` as `trace`, so that the job continues the trace.
 */
export const traceMark = '/* trace */';

const tracedTexts = new Map<string, string>();

function tracedText(text: string, parameter: number): string {
  const known = tracedTexts.get(text);
  if (known !== undefined) return known;
  const changed = text.replaceAll(traceMark, `::jsonb || jsonb_build_object('trace', $${parameter}::text)`);
  tracedTexts.set(text, changed);
  return changed;
}

interface Bound {
  readonly sql: Sql;
  readonly values: unknown[];
}

/** The statement with the trace in the jobs that it queues; unchanged if it queues none. */
function withTrace(bound: Bound, traceparent: string | undefined): Bound {
  const { sql, values } = bound;
  const text = typeof sql === 'string' ? sql : sql.text;
  if (traceparent === undefined || !text.includes(traceMark)) return bound;
  const changed = tracedText(text, values.length + 1);
  const named = typeof sql === 'string' ? changed : { name: `${sql.name}.traced`, text: changed };
  return { sql: named, values: [...values, traceparent] };
}

const verb = /^\W*(\w+)/;
const table = /\b(?:from|into|update|join|call)\s+(?:only\s+)?"?([\w.]+)/i;

/** The name of a statement's span: its own, or the verb and the table; never its values. */
function spanName(sql: Sql): string {
  if (typeof sql !== 'string') return sql.name;
  return [verb.exec(sql)?.[1]?.toUpperCase(), table.exec(sql)?.[1]].filter((word) => word !== undefined).join(' ');
}

/** Runs a statement, in a span if it belongs to a traced request or job. */
export function traced<T>(bound: Bound, run: (bound: Bound) => Promise<T>): Promise<T> {
  const on = tracing();
  return on ? on.statement(spanName(bound.sql), (traceparent) => run(withTrace(bound, traceparent))) : run(bound);
}

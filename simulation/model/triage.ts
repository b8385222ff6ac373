import { isDone, match, precedes, type Call } from './calls.js';
import { changesOf, issueSightings, type IssueSighting } from './issues.js';
import { type Facts, type Tell } from './facts.js';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './values.js';

const dayMs = 86_400_000;
/** Within this time an issue opens when its acceptance ended. */
const acceptanceMs = 60_000;

/** What people decide holds until its end, and the policy of the organization sets what nobody decided. */
export async function judgeTriage(facts: Facts, tell: Tell): Promise<void> {
  const sightings = issueSightings(facts);
  for (const [id, ofIssue] of sightings) {
    judgeSeverity(facts, id, ofIssue, tell);
    await judgeAcceptance(facts, id, ofIssue, tell);
  }
  judgeOverdue(facts, tell);
  judgePolicy(facts, sightings, tell);
}

/** The last change by hand before a sighting, if it is certain that it was the last one. */
function lastChange(facts: Facts, id: string, call: Call, isOne: (change: Call) => boolean): Call | undefined {
  const changes = changesOf(facts, id).filter((change) => change.from < call.n);
  const last = changes.findLast((change) => change !== call && precedes(change, call));
  if (!last || !isDone(last) || !match(last, 'PATCH', `/issues/${id}`) || !isOne(last)) return undefined;
  return changes.some((change) => change !== last && change.n > last.from) ? undefined : last;
}

function judgeSeverity(facts: Facts, id: string, sightings: readonly IssueSighting[], tell: Tell): void {
  for (const { call, fields } of sightings) {
    const change = lastChange(facts, id, call, (one) => textOf(one.body.severity) !== undefined);
    if (change && fields.severity !== change.body.severity) {
      tell(
        'triage/severity-stays',
        call.n,
        `Issue ${id} was set to ${String(change.body.severity)} by entry ${change.n}, which scans do not change, and is ${String(fields.severity)}`,
      );
    }
  }
}

/** From when on the clock stood at a time or later, as the history shows it. */
function clockReached(facts: Facts, time: number): number | undefined {
  const first = facts.history.find(({ at }) => Date.parse(at) >= time);
  return first && Date.parse(first.at);
}

async function judgeAcceptance(
  facts: Facts,
  id: string,
  sightings: readonly IssueSighting[],
  tell: Tell,
): Promise<void> {
  const accepts = ({ body }: Call) => body.status === 'IGNORED' && textOf(body.acceptedUntil) !== undefined;
  for (const { call, fields } of sightings) {
    const change = lastChange(facts, id, call, accepts);
    if (!change) continue;
    const until = Date.parse(String(change.body.acceptedUntil));
    const reached = clockReached(facts, until);
    if (call.endedAt < until && fields.status !== 'IGNORED') {
      tell(
        'acceptance/holds',
        call.n,
        `Issue ${id} is accepted until ${String(change.body.acceptedUntil)} (entry ${change.n}), and is ${String(fields.status)} before`,
      );
    }
    const isDown = reached !== undefined && facts.faultBetween(change.n, call.n);
    if (reached !== undefined && !isDown && call.sentAt > reached + acceptanceMs && fields.status === 'IGNORED') {
      tell(
        'acceptance/ends',
        call.n,
        `The acceptance of issue ${id} ended at ${String(change.body.acceptedUntil)} (entry ${change.n}): expected it to be OPEN within a minute, and it is IGNORED`,
      );
    }
  }
  const changes = changesOf(facts, id);
  const last = changes.at(-1);
  if (!last || !isDone(last) || !match(last, 'PATCH', `/issues/${id}`) || !accepts(last)) return;
  if (changes.some((change) => change !== last && change.n > last.from)) return;
  if (facts.endedAt <= Date.parse(String(last.body.acceptedUntil)) + acceptanceMs) return;
  const answer = await facts.end.read('GET', `/api/v1/issues/${id}`, last.entry.client);
  const { status } = fieldsOf(answer.body);
  if (answer.status === 200 && status === 'IGNORED' && fieldsOf(answer.body).suppressed !== true) {
    tell(
      'acceptance/ends',
      undefined,
      `The acceptance of issue ${id} ended at ${String(last.body.acceptedUntil)} (entry ${last.n}), and it is IGNORED at the end`,
    );
  }
}

function judgeOverdue(facts: Facts, tell: Tell): void {
  for (const call of facts.calls) {
    if (!match(call, 'GET', '/issues') || !isDone(call) || call.query.get('overdue') !== 'true') continue;
    for (const { id, dueAt, status } of listOf(call.answer.data)) {
      const due = Date.parse(String(dueAt));
      if (!(due <= call.endedAt) || (status !== 'OPEN' && status !== 'MANUAL_REVIEW')) {
        tell(
          'due/overdue',
          call.n,
          `Issue ${String(id)} is ${String(status)} and due at ${String(dueAt)}, and is listed as overdue`,
        );
      }
    }
  }
}

/** The policy of whoever called, as it was set last. */
function judgePolicy(facts: Facts, sightings: ReadonlyMap<string, IssueSighting[]>, tell: Tell): void {
  const policies = facts.calls.filter(
    (call) => match(call, 'PUT', '/issues/policy') && (isDone(call) || call.status === undefined),
  );
  const organizations = new Set(policies.map(({ token }) => token));
  // Of several organizations, the history does not tell which one an issue is of.
  if (organizations.size > 1) return;
  const heldAt = (call: Call): Fields | undefined => {
    const last = policies.findLast((policy) => precedes(policy, call));
    return last && isDone(last) && !policies.some((policy) => policy.n > last.n && policy.from < call.n)
      ? last.answer
      : undefined;
  };
  for (const call of facts.calls) {
    const [scan] = match(call, 'POST', '/scans/*/issues') ?? [];
    const policy = scan === undefined ? undefined : heldAt(call);
    if (!policy || !isDone(call)) continue;
    for (const [place, finding] of listOf(call.entry.body).entries()) {
      const issue = listOf(call.answer.issues)[place];
      if (issue?.created !== true) continue;
      const seen = (sightings.get(String(issue.id)) ?? []).find((one) => precedes(call, one.call));
      if (!seen || changesOf(facts, String(issue.id)).some((change) => change.from < seen.call.n)) continue;
      const days = numberOf(fieldsOf(policy.daysToFix)[String(finding.severity)]);
      const due = Date.parse(String(seen.fields.dueAt));
      const expected = Date.parse(String(seen.fields.createdAt)) + (days ?? 0) * dayMs;
      if (days === undefined ? seen.fields.dueAt !== null : !(Math.abs(due - expected) <= dayMs)) {
        const wanted = days === undefined ? 'have no due date' : `be due about ${new Date(expected).toISOString()}`;
        tell(
          'due/policy',
          seen.call.n,
          `Issue ${String(issue.id)} (${String(finding.severity)}) should ${wanted} by the policy, and is due at ${String(seen.fields.dueAt)}`,
        );
      }
    }
  }
  for (const call of facts.calls) {
    const isChange = match(call, 'PATCH', '/issues/*') ?? match(call, 'PATCH', '/issues');
    if (!isChange || !isDone(call) || call.body.status !== 'IGNORED' || heldAt(call)?.reasonRequired !== true) continue;
    const { acceptedUntil, acceptedReason, comment } = call.body;
    if (!textOf(acceptedUntil) && !textOf(acceptedReason) && !textOf(comment)) {
      tell(
        'acceptance/reason',
        call.n,
        `The policy asks for a reason where an acceptance has no end: expected a 422, got ${call.status}`,
      );
    }
  }
}

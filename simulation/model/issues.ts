import { isDone, isUncertain, match, precedes, repeats, type Call } from './calls.js';
import { type Facts, type Tell } from './facts.js';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './values.js';

export interface IssueSighting {
  call: Call;
  fields: Fields;
}

/** What answers show of each issue, in the order in which they ended. */
export function issueSightings(facts: Facts): Map<string, IssueSighting[]> {
  const issues = new Map<string, IssueSighting[]>();
  for (const call of facts.calls) {
    if (
      !isDone(call) ||
      !/^\/issues(\/[^/]+)?$/.test(call.path) ||
      (call.method === 'PATCH' && call.path === '/issues')
    )
      continue;
    for (const fields of [call.answer, ...listOf(call.answer.data)]) {
      const id = textOf(fields.id);
      if (id === undefined || textOf(fields.status) === undefined || !('assetId' in fields)) continue;
      issues.set(id, [...(issues.get(id) ?? []), { call, fields }]);
    }
  }
  return issues;
}

/** The calls that change issues by hand: those that name one, and those that change whatever a filter matches. */
export function changesOf(facts: Facts, id: string): Call[] {
  return facts.calls.filter((call) => {
    if (!isDone(call) && !isUncertain(call)) return false;
    if (match(call, 'PATCH', `/issues/${id}`)) return true;
    if (match(call, 'PATCH', '/issues')) return Array.isArray(call.body.ids) && call.body.ids.includes(id);
    return Boolean(match(call, 'POST', '/issues/bulk')) && call.body.dryRun !== true;
  });
}

interface Append {
  call: Call;
  scan: string;
  findings: Fields[];
  issues: Fields[];
}

function appendsOf(facts: Facts): Append[] {
  return facts.calls.flatMap((call) => {
    const [scan] = match(call, 'POST', '/scans/*/issues') ?? [];
    if (scan === undefined || !isDone(call)) return [];
    return [{ call, scan, findings: listOf(call.entry.body), issues: listOf(call.answer.issues) }];
  });
}

/** Issues: a finding is one issue however often it is found, a status goes only where it may, and branches keep their own. */
export async function judgeIssues(facts: Facts, tell: Tell): Promise<void> {
  const appends = appendsOf(facts);
  judgeIdentity(appends, tell);
  judgeImports(facts, tell);
  judgeBulk(facts, tell);
  const sightings = issueSightings(facts);
  for (const [id, ofIssue] of sightings) judgeStatus(facts, id, ofIssue, appends, tell);
  judgeBranches(facts, sightings, tell);
  await judgeNewestReports(facts, tell);
}

/** A result of a SARIF report by what an issue shows of it. */
function resultsOf({ entry }: Call): string[][] {
  // Reports are sent as text.
  const body: unknown = typeof entry.body === 'string' ? JSON.parse(entry.body) : entry.body;
  const results = listOf(fieldsOf(body).runs).flatMap((run) => listOf(run.results));
  return results.map((result) => {
    const [location] = listOf(result.locations);
    const { artifactLocation } = fieldsOf(location?.physicalLocation);
    return [String(result.ruleId), String(fieldsOf(artifactLocation).uri)];
  });
}

/**
 * Of the reports of one tool and branch, that of the newest commit says at the end what the branch has, in whichever order
 * they arrived.
 */
async function judgeNewestReports(facts: Facts, tell: Tell): Promise<void> {
  const imports = facts.calls.filter(
    (call) => match(call, 'POST', '/scans/import') && call.query.get('dryRun') !== 'true' && call.status !== 422,
  );
  const assetOf = ({ query, token }: Call) => JSON.stringify([token, query.get('asset')]);
  const scopeOf = (call: Call) => JSON.stringify([assetOf(call), call.query.get('branch')]);
  const issues = new Map<string, Fields>();
  for (const call of imports) {
    if (!isDone(call) || !Array.isArray(call.answer.createdIds)) continue;
    for (const id of call.answer.createdIds.map(String)) {
      if (issues.has(id)) continue;
      const answer = await facts.end.read('GET', `/api/v1/issues/${id}`, call.entry.client);
      if (answer.status === 200) issues.set(id, { ...fieldsOf(answer.body), scope: assetOf(call) });
    }
  }
  for (const scope of new Set(imports.map(scopeOf))) {
    const ofScope = imports.filter((call) => scopeOf(call) === scope);
    const timeOf = ({ query }: Call) => Date.parse(query.get('committedAt') ?? '');
    if (ofScope.some((call) => !(timeOf(call) > 0) || call.query.get('resolveGone') !== 'true')) continue;
    const done = ofScope.filter(isDone);
    const newest = Math.max(...done.map(timeOf));
    const perhaps = ofScope.filter((call) => isUncertain(call) && timeOf(call) >= newest);
    const isOpen = perhaps.some((call) => !done.some((one) => repeats(one, call)));
    const report = done.find((call) => timeOf(call) === newest);
    if (!report || isOpen) continue;
    const branch = report.query.get('branch');
    const has = resultsOf(report);
    for (const [id, issue] of issues) {
      const text = JSON.stringify(issue);
      const shown = listOf(issue.branches).find(({ name }) => name === branch);
      if (issue.scope !== assetOf(report) || !shown) continue;
      const isIn = has.some((words) => words.every((word) => text.includes(word)));
      if (shown.present !== isIn) {
        tell(
          'branches/newest-report',
          report.n,
          `The newest report of ${scope} ${isIn ? 'has' : 'lacks'} issue ${id}, and at the end the branch ${isIn ? 'lacks' : 'has'} it`,
        );
      }
    }
  }
}

/** Organization (by its asset), asset, test (else name), and the fingerprint of name and targets. */
function identityOf({ assetId, securityTestUid, name, targets }: Fields): string {
  const uids = listOf(targets)
    .map(({ targetUid }) => String(targetUid))
    .sort();
  return JSON.stringify([assetId, textOf(securityTestUid) ?? name, name, uids]);
}

function judgeIdentity(appends: readonly Append[], tell: Tell): void {
  const byIdentity = new Map<string, { id: unknown; call: Call }>();
  const identityOfIssue = new Map<unknown, string>();
  for (const { call, findings, issues } of appends) {
    const created = issues.filter((issue) => issue.created === true).length;
    if (
      issues.length !== findings.length ||
      Number(call.answer.created) + Number(call.answer.seen) !== findings.length
    ) {
      tell(
        'issues/counted',
        call.n,
        `${findings.length} findings were sent: created and seen should be as many, and are ${String(call.answer.created)} and ${String(call.answer.seen)}`,
      );
      continue;
    }
    if (created !== Number(call.answer.created)) {
      tell(
        'issues/counted',
        call.n,
        `The answer says that ${String(call.answer.created)} issues are new, and lists ${created}`,
      );
    }
    for (const [place, finding] of findings.entries()) {
      const { id, created: isNew } = issues[place]!;
      const identity = identityOf(finding);
      const known = byIdentity.get(identity);
      if (known && known.id !== id) {
        tell(
          'issues/identity',
          call.n,
          `The finding "${String(finding.name)}" is issue ${String(known.id)} since entry ${known.call.n}, and is called ${String(id)}`,
        );
      }
      const other = identityOfIssue.get(id);
      if (other !== undefined && other !== identity) {
        tell(
          'issues/identity',
          call.n,
          `Issue ${String(id)} is the finding ${other}, and cannot be ${identity} as well`,
        );
      }
      if (known && isNew === true && precedes(known.call, call)) {
        tell(
          'issues/identity',
          call.n,
          `Issue ${String(id)} is known since entry ${known.call.n}: expected created to be false`,
        );
      }
      byIdentity.set(identity, known ?? { id, call });
      identityOfIssue.set(id, identity);
    }
  }
}

function judgeImports(facts: Facts, tell: Tell): void {
  const reports = new Map<string, Call>();
  for (const call of facts.calls) {
    if (!match(call, 'POST', '/scans/import') || !isDone(call)) continue;
    const { findings, created, seen, skippedCount, resolved, createdIds } = call.answer;
    if (Number(findings) !== Number(created) + Number(seen) + Number(skippedCount)) {
      tell(
        'import/counted',
        call.n,
        `${String(findings)} findings should be created, seen or skipped, and are ${String(created)}, ${String(seen)} and ${String(skippedCount)}`,
      );
    }
    if (
      Array.isArray(createdIds) &&
      createdIds.length !== Math.min(1000, Number(created)) &&
      call.query.get('dryRun') !== 'true'
    ) {
      tell('import/counted', call.n, `${String(created)} issues are new, and ${createdIds.length} are named`);
    }
    if (call.query.get('resolveGone') !== 'true' && Number(resolved) > 0) {
      tell(
        'import/resolves',
        call.n,
        `Without resolveGone nothing should be resolved, and ${String(resolved)} issues were`,
      );
    }
    if (call.query.get('dryRun') === 'true') continue;
    const query = new URLSearchParams(call.query);
    query.delete('resolveGone');
    query.sort();
    const key = JSON.stringify([query.toString(), call.entry.body, call.token]);
    const earlier = reports.get(key);
    if (earlier && precedes(earlier, call) && Number(created) > 0 && earlier.idempotencyKey === undefined) {
      tell(
        'import/same-finding',
        call.n,
        `The report of entry ${earlier.n} came again: nothing in it is new, and ${String(created)} issues were created`,
      );
    }
    reports.set(key, earlier ?? call);
  }
}

function judgeBulk(facts: Facts, tell: Tell): void {
  for (const call of facts.calls) {
    if (!match(call, 'POST', '/issues/bulk') || !isDone(call)) continue;
    const [matching, changing, changed] = ['matching', 'changing', 'changed'].map((name) => Number(call.answer[name]));
    if (
      changed! > changing! ||
      changing! > matching! ||
      changed! > 10_000 ||
      (call.body.dryRun === true && changed !== 0)
    ) {
      tell('issues/bulk', call.n, `Of ${matching} matching issues, ${changing} were to change and ${changed} did`);
    }
    const expected = numberOf(call.body.expectedCount);
    if (expected !== undefined && expected !== matching && call.body.dryRun !== true) {
      tell(
        'issues/bulk',
        call.n,
        `${expected} issues were expected and ${matching} match: expected a 409 that changes nothing, got ${call.status}`,
      );
    }
  }
}

/** What scans may do to an issue, beside the people: by the status that it has. */
function mayScansTurn(before: string, status: string): boolean {
  return (
    (before === 'OPEN' && (status === 'RESOLVED' || status === 'IGNORED')) ||
    (before === 'RESOLVED' && (status === 'OPEN' || status === 'IGNORED'))
  );
}

/** Between two sightings without a change by hand, the status changes as scans may change it, and never else. */
function judgeStatus(
  facts: Facts,
  id: string,
  sightings: readonly IssueSighting[],
  appends: readonly Append[],
  tell: Tell,
): void {
  const changes = changesOf(facts, id);
  for (const [place, sighting] of sightings.entries()) {
    const earlier = sightings.slice(0, place).findLast(({ call }) => precedes(call, sighting.call));
    if (!earlier) continue;
    const { call, fields } = sighting;
    const before = String(earlier.fields.status);
    const status = String(fields.status);
    const between = (other: Call) => other !== earlier.call && other.n > earlier.call.from && other.from < call.n;
    if (changes.some((change) => change === call || between(change))) continue;
    const scans = facts.calls.filter(
      (one) =>
        one.method === 'POST' && /^\/(scans\/(import|[^/]+\/issues)|branches\/close)$/.test(one.path) && between(one),
    );
    // What the tool suppressed comes back when it no longer is, and an acceptance ends by the clock.
    const isFreed =
      before === 'IGNORED' &&
      (earlier.fields.suppressed === true || textOf(earlier.fields.acceptedUntil) !== undefined);
    const isIdle = facts.endedAt - earlier.call.endedAt > 30 * 86_400_000;
    if (status !== before && !isFreed && !isIdle && !(scans.length > 0 && mayScansTurn(before, status))) {
      tell(
        'issues/status',
        call.n,
        `Issue ${id} was ${before} in entry ${earlier.call.n}, and nothing since may make it ${status}`,
      );
    }
    const found = appends.find(
      (append) =>
        precedes(earlier.call, append.call) &&
        precedes(append.call, call) &&
        append.issues.some((issue, at) => issue.id === id && append.findings[at]?.suppressed !== true) &&
        isWithoutBranch(facts, append.scan),
    );
    if (found && before === 'RESOLVED' && status === 'RESOLVED' && scans.length === 1) {
      tell(
        'issues/found-again',
        call.n,
        `Issue ${id} was RESOLVED and found again by entry ${found.call.n}: expected it to be OPEN`,
      );
    }
  }
}

function isWithoutBranch(facts: Facts, scan: string): boolean {
  return facts.calls.some(
    (call) => match(call, 'POST', '/scans') && call.answer.id === scan && call.answer.branch === null,
  );
}

function judgeBranches(facts: Facts, sightings: ReadonlyMap<string, IssueSighting[]>, tell: Tell): void {
  for (const call of facts.calls) {
    if (!isDone(call)) continue;
    if (match(call, 'GET', '/issues') && !call.query.has('branch') && !call.query.has('scanIds')) {
      for (const { id, branchOnly } of listOf(call.answer.data)) {
        if (branchOnly === true)
          tell(
            'branches/not-listed',
            call.n,
            `Issue ${String(id)} is of other branches alone, and is in the list of the organization`,
          );
      }
    }
    if (match(call, 'GET', '/branches')) {
      for (const { name, default: isDefault, closedAt } of listOf(call.answer.data)) {
        if (isDefault === true && closedAt !== null)
          tell('branches/default', call.n, `Branch ${String(name)} is the default one, which cannot be closed, and is`);
      }
    }
  }
  const closings = facts.calls.filter(
    (call) => match(call, 'POST', '/branches/close') && isDone(call) && call.body.assetId === undefined,
  );
  for (const [id, ofIssue] of sightings) {
    for (const { call, fields } of ofIssue) {
      if (fields.status !== 'OPEN' || fields.branchOnly !== true || !Array.isArray(fields.branches)) continue;
      const present = listOf(fields.branches).filter((branch) => branch.present === true);
      const closed = closings.filter((closing) => precedes(closing, call));
      const isClosed = ({ name }: Fields) => {
        const closing = closed.findLast((one) => one.body.name === name);
        return closing !== undefined && !mayOpenAgain(facts, closing, call) && closing.token === call.token;
      };
      const changed = changesOf(facts, id).some((change) => change.n > (closed[0]?.from ?? 0));
      if (present.length > 0 && present.every(isClosed) && !changed) {
        tell(
          'branches/closed',
          call.n,
          `Issue ${id} is only on branches that were closed (${present.map(({ name }) => String(name)).join(', ')}): expected it to be RESOLVED`,
        );
      }
    }
  }
}

/** A scan of a closed branch opens it, with its issues. */
function mayOpenAgain(facts: Facts, closing: Call, seen: Call): boolean {
  return facts.calls.some(
    (call) => call.method === 'POST' && call.path.startsWith('/scans') && call.n > closing.from && call.from < seen.n,
  );
}

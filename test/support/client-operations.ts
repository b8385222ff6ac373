const id = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';

/** The command line that calls an operation, or why there is none. */
export type Reached = string | { none: string };

const isAScanners = { none: "a scanner's own, which speaks HTTP; from a shell, results come by scans import" };
const isALogins = { none: 'of a user with a login: the client acts by an API key, which is of one organization' };

/** `create`, `get`, `list`, `update` and `delete` of things that have a name. */
function resource(name: string, body: string): Record<string, Reached> {
  return {
    [`GET /api/v1/${name}`]: `${name} list`,
    [`POST /api/v1/${name}`]: `${name} create -f ${body}`,
    [`GET /api/v1/${name}/{id}`]: `${name} get ${id}`,
    [`PATCH /api/v1/${name}/{id}`]: `${name} update ${id} -f ${body}`,
    [`DELETE /api/v1/${name}/{id}`]: `${name} delete ${id}`,
  };
}

const organization = '/api/v1/organizations/{organizationId}';

/** How the client reaches each operation of the scanning wing. FILE is a JSON file. */
export const clientOperations: Record<string, Reached> = {
  'GET /api/v1/organizations': isALogins,
  'POST /api/v1/organizations': isALogins,
  'GET /api/v1/organizations/current': 'whoami',
  [`GET ${organization}`]: { none: 'organizations/current is the same, for the organization of the key' },
  [`PATCH ${organization}`]: 'organization update --name Harbour',
  [`GET ${organization}/audit`]: 'organization audit',
  [`GET ${organization}/members`]: 'members list',
  [`POST ${organization}/members`]: 'members invite ada',
  [`PATCH ${organization}/members/{userId}`]: 'members update ada --role viewer',
  [`DELETE ${organization}/members/{userId}`]: 'members remove ada',
  [`DELETE ${organization}/members/me`]: isALogins,
  [`DELETE ${organization}/invitations/{invitationId}`]: `members uninvite ${id}`,
  'GET /api/v1/users/me/invitations': isALogins,
  'POST /api/v1/users/me/invitations/{invitationId}/accept': isALogins,
  'POST /api/v1/users/me/invitations/{invitationId}/decline': isALogins,
  [`GET ${organization}/api-keys`]: 'keys list',
  [`POST ${organization}/api-keys`]: 'keys create CI',
  [`DELETE ${organization}/api-keys`]: {
    none: 'members remove --revoke-keys, and keys revoke for those of who is gone',
  },
  [`DELETE ${organization}/api-keys/{keyId}`]: `keys revoke ${id}`,
  'GET /api/v1/ids': `scans get ${id.slice(0, 8)}`,
  ...resource('profiles', 'FILE'),
  ...resource('assets', 'FILE'),
  ...resource('tags', 'FILE'),
  ...resource('locations', 'FILE'),
  ...resource('integrations', 'FILE'),
  'GET /api/v1/branches': 'branches list',
  'POST /api/v1/branches/close': 'branches close feature/merged',
  'POST /api/v1/scans/import': 'scans import FILE --asset shop',
  'GET /api/v1/scans': 'scans list',
  'POST /api/v1/scans': isAScanners,
  'GET /api/v1/scans/{id}': `scans get ${id}`,
  'PATCH /api/v1/scans/{id}': isAScanners,
  'POST /api/v1/scans/{id}/cancel': `scans cancel ${id}`,
  'GET /api/v1/scans/{id}/issues': `scans found ${id}`,
  'POST /api/v1/scans/{id}/issues': isAScanners,
  'POST /api/v1/scans/{id}/events': isAScanners,
  'GET /api/v1/events': 'events list',
  'GET /api/v1/events/arrivals': 'events list --follow',
  'GET /api/v1/events/stream': 'events list --follow',
  'GET /api/v1/events/histogram': {
    none: 'feeds the bars of a chart; events list has the events with levels and times',
  },
  'GET /api/v1/events/{id}': `events get ${id}`,
  'GET /api/v1/issues': 'issues list',
  'PATCH /api/v1/issues': `issues update ${id} ${id.replace('c4', 'c5')} --status RESOLVED`,
  'GET /api/v1/issues/export': 'issues export',
  'GET /api/v1/issues/summary': 'issues summary',
  'GET /api/v1/issues/groups': 'issues groups --by rule',
  'GET /api/v1/issues/metrics': 'issues metrics',
  'GET /api/v1/issues/policy': 'issues policy',
  'PUT /api/v1/issues/policy': 'issues policy --reason-required on',
  'POST /api/v1/issues/bulk': 'issues bulk --severities LOW --set-status RESOLVED --yes',
  'GET /api/v1/views': 'views list',
  'POST /api/v1/views': 'views create Mine --shared',
  'GET /api/v1/views/{id}': `views show ${id}`,
  'PATCH /api/v1/views/{id}': `api PATCH views/${id} --input FILE`,
  'DELETE /api/v1/views/{id}': `views delete ${id}`,
  'GET /api/v1/issues/{id}': `issues get ${id}`,
  'PATCH /api/v1/issues/{id}': `issues comment ${id} Seen`,
  'GET /api/v1/issues/{id}/targets': `issues targets ${id}`,
  'GET /api/v1/issues/{id}/similar': { none: "the console's: a shell lists the same by the rule" },
  'GET /api/v1/issues/{id}/activities': `issues get ${id} -o table`,
  ...resource('workflows', 'FILE'),
  'POST /api/v1/workflows/{id}/actions/{actionId}/rotate-secret': `workflows rotate-secret ${id}`,
  'POST /api/v1/workflows/{id}/run': `workflows run ${id}`,
  'GET /api/v1/workflows/{id}/runs': `workflows runs ${id}`,
  'POST /api/v1/workflows/{id}/preview': `workflows preview ${id}`,
  'POST /api/v1/workflows/preview': {
    none: 'for a form that is being filled in; a file is created disabled, then previewed',
  },
  'POST /api/v1/workflows/{id}/test': `workflows test ${id}`,
  'GET /api/v1/deliveries': 'deliveries list',
  'GET /api/v1/workflows/{id}/deliveries': { none: 'deliveries list -w asks for the same of all workflows' },
  'POST /api/v1/workflows/{id}/deliveries/replay': `deliveries replay-all ${id} --since 1h`,
  'GET /api/v1/deliveries/{id}': `deliveries get ${id}`,
  'GET /api/v1/deliveries/{id}/payload': `deliveries payload ${id}`,
  'POST /api/v1/deliveries/{id}/replay': `deliveries replay ${id}`,
  'GET /api/v1/imports/{id}/issues': { none: 'scans import asks for it where an answer lists a part of the issues' },
  'GET /schemas': { none: 'files that anybody can open at their addresses' },
  'GET /schemas/store-events/{name}': { none: 'a file that anybody can open at its address' },
  'GET /schemas/webhook-export.default.json': { none: 'a file that anybody can open at its address' },
  'GET /schemas/webhook-export.scoped.json': { none: 'a file that anybody can open at its address' },
};

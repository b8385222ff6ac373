import { insertUser } from '../../support/accounts.js';
import type { InsertedOrganization } from '../../support/organizations.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

/** Calls of an organization's members and invitations. */
export function memberCalls(app: TestApp, acme: InsertedOrganization): RouteCalls {
  const { token } = acme.admin;
  const path = `/api/v1/organizations/${acme.id}`;
  const invite = (json: object) =>
    app.api.post<{ invitationId: string }>(`${path}/members`, { token, json: { role: 'viewer', ...json } });
  const invited = async () => {
    const user = await insertUser(app);
    const { body } = await invite({ userId: user.id });
    return { id: body.invitationId, token: user.token };
  };
  const answer = (what: 'accept' | 'decline') => async () => {
    const invitation = await invited();
    return () => app.api.post(`/api/v1/users/me/invitations/${invitation.id}/${what}`, { token: invitation.token });
  };
  return {
    'POST /api/v1/organizations/:organizationId/members': async () => () => invite({ email: `${canary}@example.com` }),
    'DELETE /api/v1/organizations/:organizationId/invitations/:invitationId': async () => {
      const { id } = await invited();
      return () => app.api.delete(`${path}/invitations/${id}`, { token });
    },
    'POST /api/v1/users/me/invitations/:invitationId/accept': answer('accept'),
    'POST /api/v1/users/me/invitations/:invitationId/decline': answer('decline'),
    'PATCH /api/v1/organizations/:organizationId/members/:userId': async () => {
      const { userId } = await acme.join('viewer');
      return () => app.api.patch(`${path}/members/${userId}`, { token, json: { role: 'member' } });
    },
    'DELETE /api/v1/organizations/:organizationId/members/:userId': async () => {
      const { userId } = await acme.join('viewer');
      return () => app.api.delete(`${path}/members/${userId}`, { token });
    },
    'DELETE /api/v1/organizations/:organizationId/members/me': async () => {
      const member = await acme.join('viewer');
      return () => app.api.delete(`${path}/members/me`, { token: member.token });
    },
  };
}

const signsIn = 'it is a login itself, or part of one';
const byLink = 'whoever holds the link reads the mails to the account';
const changesNothing = 'it changes nothing that authenticates';
const endsOwn = 'it ends what the caller has in hand, and nothing of others';
const ownAddress = 'an address to send goods to, by which nobody signs in';
const ownMembership = 'it concerns the caller alone, and gives nobody else anything';

/** Routes near what authenticates that take any login, each with its reason; test/architecture walks them. */
export const withoutRecentLogin: Record<string, string> = {
  'POST /api/v1/auth/register': signsIn,
  'POST /api/v1/auth/login': signsIn,
  'POST /api/v1/auth/login/totp': signsIn,
  'POST /api/v1/auth/oidc/start': signsIn,
  'POST /api/v1/auth/oidc/finish': signsIn,
  'POST /api/v1/auth/oidc/device': signsIn,
  'POST /api/v1/auth/oidc/device/finish': signsIn,
  'POST /api/v1/auth/oidc/backchannel-logout': 'it ends what the provider began',
  'POST /api/v1/users/me/provider-links': 'it ends what began with a recent login, ten minutes ago at most',
  'POST /api/v1/auth/refresh': 'the session keeps the time of its login',
  'POST /api/v1/auth/reauthenticate': signsIn,
  'POST /api/v1/auth/logout': endsOwn,
  'POST /api/v1/auth/password/forgot': changesNothing,
  'POST /api/v1/auth/password/reset': byLink,
  'POST /account/reset': byLink,
  'POST /api/v1/auth/email/confirm': byLink,
  'POST /account/confirm': byLink,
  'POST /api/v1/auth/email/undo': byLink,
  'POST /account/undo-email': byLink,
  'POST /api/v1/auth/email/resend': changesNothing,
  'POST /api/v1/totp/verify': changesNothing,
  'POST /api/v1/users/me/invitations/:invitationId/accept': ownMembership,
  'POST /api/v1/users/me/invitations/:invitationId/decline': ownMembership,
  'POST /api/v1/users/me/addresses': ownAddress,
  'PUT /api/v1/users/me/addresses/:address_id': ownAddress,
  'DELETE /api/v1/users/me/addresses/:address_id': ownAddress,
  'DELETE /api/v1/organizations/:organizationId/members/me': ownMembership,
  'DELETE /api/v1/organizations/:organizationId/invitations/:invitationId':
    'it takes back what nobody has accepted yet',
};

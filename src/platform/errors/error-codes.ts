/**
 * Every `code` of an error, by the kind of refusal that carries it, with the sentence that explains it. The interface
 * description shows them as one enum; the compiler refuses any code that is missing here.
 */
export const errorCodes = {
  rule_broken: {
    rule_broken: 'A rule of the shop forbids it: `detail` says which.',
    unknown_referral_code: 'No user has the name in referral_code: correct it, or omit it.',
    no_session: 'The access token belongs to no session that could be ended: end all of them instead.',
    wrong_password: 'The current password is wrong.',
    wrong_code: 'The one-time code is wrong, or has already been used.',
    code_required: 'The account has two-factor login: send a code with the password.',
    link_ended: 'The link was used before, has expired, or was not sent by this shop: ask for another one.',
    totp_not_set_up: 'There is no secret to enable: get one from GET /api/v1/totp/setup first.',
    totp_not_enabled: 'Two-factor login is not enabled.',
    empty_cart: 'The cart is empty: add a product first.',
    coupon_unusable: 'The coupon does not exist, or is inactive, expired or used up.',
    webhook_refused: "The webhook is not from the shop's payment provider, or is older than five minutes.",
    guest_name_needed: 'A testimonial without a user needs its guest_name.',
    organization_required: 'You belong to several organizations: name one in the header X-Organization-Id.',
    authorization_pending: 'The user has not confirmed the sign-in at the provider yet: ask again after the interval.',
    slow_down: 'Asked before the interval was over: wait five seconds longer from now on.',
    device_code_expired: 'Nobody confirmed the sign-in in time: begin another one.',
    sign_in_denied: 'The user or the provider refused the sign-in.',
    email_missing: 'The provider did not tell an e-mail address, which an account needs.',
    logout_token_invalid: 'The logout token is not from the provider, or cannot be used: `detail` says why.',
    bad_request: 'The request cannot be read: check its address and headers.',
  },
  unauthenticated: {
    unauthenticated: 'There is no access token (or, in the scanning wing, no API key) in the request: sign in.',
    token_expired: 'This access token has expired: sign in again.',
    token_invalid: 'This access token was not issued by this service, or was altered: sign in again.',
    token_revoked:
      'This access token was revoked by signing out, by a new password or role, or with its account: sign in again.',
    refresh_token_invalid: 'The refresh token is unknown, or its session has expired or ended: sign in again.',
    refresh_token_reused: 'The refresh token had already been replaced, so its session was ended: sign in again.',
    wrong_credentials: 'The username or the password is wrong.',
    wrong_code: 'The one-time code or recovery code is wrong, or has already been used.',
    login_ended: 'The temporary token of the two-factor login is no longer valid: sign in with the password again.',
    sign_in_ended:
      'The sign-in with the provider was used before, has expired, or was begun elsewhere: begin another one.',
    sign_in_failed: "The provider's answer cannot be trusted: begin another sign-in.",
    reauthentication_required:
      'The login is too old for this: send your password to POST /api/v1/auth/reauthenticate, and repeat the ' +
      'request with the access token that it returns.',
    invalid_api_key: 'The API key is unknown, expired or revoked.',
  },
  forbidden: {
    forbidden: 'You may not do this: `detail` says why.',
    foreign_origin: 'The session cookie works only for pages of the origin of the service.',
    provider_only: 'Admins of this shop sign in with the provider, and not with a password.',
    admin_only: 'Only an admin of the shop may do this.',
    account_suspended: 'The account is suspended: write to the shop to have it back.',
    totp_required:
      'Admins of this shop need two-factor login: set it up by GET /api/v1/totp/setup and POST /api/v1/totp/enable.',
    not_the_owner: 'Only the owner or an admin of the shop may do this.',
    cannot_be_deleted: 'The account is protected from deletion (can_be_deleted is false).',
    missing_scope: 'The key does not have the scope that this takes, or only a person may do it: `detail` says which.',
    no_organization: 'You do not belong to an organization yet: create one with POST /api/v1/organizations.',
    role_too_low: 'Your role in the organization does not allow this: `detail` names the role that does.',
  },
  quota_exceeded: {
    quota_exceeded: 'You have reached the limit of these: delete one, or ask the operator for more.',
  },
  not_found: {
    not_found: 'It does not exist, or it belongs to somebody else.',
    payload_gone: 'The payload of the delivery was deleted after its retention time.',
    sign_in_off: 'The service has no provider to sign in with.',
    action_gone: 'The action of the delivery was deleted, so it cannot be sent again.',
  },
  method_not_allowed: {
    method_not_allowed: 'The address does not support this method: the header Allow lists the supported ones.',
  },
  request_timeout: {
    request_timeout: 'The request took too long to arrive: send it again.',
    file_too_slow: 'The file did not arrive within a minute: send it again.',
  },
  conflict: {
    conflict: 'It conflicts with stored data: `detail` says with which.',
    username_taken: 'Another account has this username. Upper and lower case are the same.',
    email_taken: 'Another account has this e-mail address. Upper and lower case are the same.',
    account_exists:
      'An account with the e-mail address that the provider tells is there already: sign in to it, and link it.',
    already_linked: 'The account at the provider, or the account here, is already linked.',
    password_needed: 'The account has no password, so nobody could sign in to it without the link.',
    password_changed: 'The password was changed at the same moment: sign in with the new one.',
    totp_not_enabled: 'Two-factor login is not enabled.',
    totp_already_enabled: 'Two-factor login is already enabled: disable it first.',
    already_confirmed: 'The e-mail address of the account is already confirmed.',
    last_admin: 'This is the last admin: make somebody else an admin first.',
    last_admin_of_organization: 'The account is the last admin of an organization that has other members.',
    insufficient_stock: 'There are fewer pieces in stock than requested: `detail` says how many.',
    quantity_too_large: 'A cart holds at most 999 pieces of one product.',
    cart_full: 'The cart holds the maximum number of different products.',
    request_running: 'A request with the same Idempotency-Key is still running: wait for its response.',
    default_branch: 'The default branch of an asset cannot be closed: name another one first.',
    impossible_transition: 'The current status cannot become the requested one.',
    not_payable: 'Nothing is to be paid for the order: it is paid, or was cancelled.',
    payment_refused: 'The payment provider does not take this payment: `detail` says what to do.',
    payment_recorded: 'A payment with this reference is already recorded.',
    refund_too_large:
      'More would be refunded than was paid, or more pieces than were ordered: `detail` says what is left.',
    refund_refused: 'The payment provider does not pay it back: record it with by_hand, and pay it back by hand.',
    needs_confirmation:
      'The new status leaves something out that a person would stop at: `detail` says what. Repeat the request with ' +
      'confirm=true if it is meant.',
    mail_not_due: 'The order is not where this mail makes sense, or there is nobody to send it to: `detail` says why.',
    already_reviewed: 'You have already reviewed this product: delete that review first.',
    slug_taken: 'Another product or category has this slug, or a product had it: choose another one.',
    sku_taken: 'Another product has this article number (sku).',
    group_full: 'The group has the most variants already: begin another one.',
    category_in_use: 'Other categories are below this one, or it has too many products: `detail` says which.',
    too_many_categories: 'The shop has the most categories already: delete one first.',
    coupon_code_taken: 'There is already a coupon with this code.',
    already_a_member: 'The user is already a member of the organization: change the role with PATCH.',
    profile_in_use: 'The profile has scans and cannot be deleted, since they are records.',
    asset_exists: 'The organization already has an asset at this address.',
    asset_in_use: 'The asset has scans or issues and cannot be deleted, since they are records.',
    tag_exists: 'The organization already has a tag with this name.',
    view_exists: 'There is already a view with this name.',
    count_differs: 'Other issues match the filter than the caller expects: `detail` says how many.',
    workflow_disabled: 'The workflow is disabled: enable it before you run it.',
    action_disabled: 'The action of the delivery is disabled: enable it before you send again.',
    webhook_disabled: 'The webhook is disabled: enable it first.',
    under_way: 'The delivery is being sent at the moment: wait until that attempt has ended.',
  },
  precondition_failed: {
    changed_meanwhile: 'Its version is not the one in If-Match: read it again, and repeat your change.',
  },
  payload_too_large: {
    payload_too_large: 'The body is larger than this operation accepts.',
    file_too_large: 'The file is larger than 5 MiB.',
    picture_too_large: 'The picture has more pixels than its format may have: `detail` says how many.',
  },
  unsupported_media_type: {
    unsupported_media_type: 'The body has a type, charset or encoding that this operation does not accept.',
    unsupported_picture: 'The file is not a picture in PNG, JPEG, WebP, GIF or AVIF.',
  },
  too_many_requests: {
    too_many_requests: 'Your address sends too many requests: wait as long as Retry-After says.',
    tests_busy: 'Too many samples of workflows are being sent: try again in a few seconds.',
    previews_busy: 'Too many previews of workflows are being made: try again in a few seconds.',
    too_many_attempts: 'Too many wrong passwords or codes: wait as long as Retry-After says.',
    busy: 'Too many such requests are in progress at the moment: wait as long as Retry-After says.',
    rate_exceeded: 'You have reached the limit for now: wait as long as Retry-After says.',
  },
  upstream_failed: {
    upstream_failed: 'The other server did not send a usable response.',
    upstream_dns: 'The host of the address cannot be found.',
    upstream_proxy: 'The proxy through which the service sends requests does not let it through.',
    upstream_connect: 'The other server cannot be reached.',
    upstream_tls: 'The other server has no valid certificate.',
    upstream_timeout: 'The other server did not respond in time.',
    upstream_too_large: 'The response of the other server is too large.',
    upstream_too_many_redirects: 'The other server redirects too often.',
    upstream_broken_answer: 'The other server broke off its response, or sent one that cannot be read.',
  },
  unavailable: {
    unavailable: 'The service cannot do this now: try again later.',
    busy: 'Too many such requests are in progress at the moment: try again in a few seconds.',
    database_unavailable: 'The database cannot be reached: try again in a few seconds.',
    storage_unavailable: 'The picture cannot be stored at the moment: try again later.',
    provider_unavailable: 'The sign-in provider cannot be reached: try again later, or sign in with a password.',
    stopping: 'This node is stopping.',
  },
} as const;

/** The codes of answers outside all rules: to an invalid request, and for a fault of the service. */
export const transportCodes = {
  request_header_fields_too_large: 'The address and the headers together are larger than 16 KiB.',
  internal_error: 'Something went wrong on our side: if you report it, quote the x-request-id of the response.',
} as const;

/** The kinds of refusal that services throw. `status-table.ts` maps each to its HTTP status. */
export type ErrorKind = keyof typeof errorCodes;
/** The codes that a refusal of this kind may carry. */
export type CodeOf<Kind extends ErrorKind> = Kind extends ErrorKind ? keyof (typeof errorCodes)[Kind] & string : never;
export type ErrorCode = CodeOf<ErrorKind> | keyof typeof transportCodes;

/** The sentence that explains a code; if several kinds have it, that of the first one. */
export function meaningsOfCodes(): Map<ErrorCode, string> {
  const meanings = new Map<ErrorCode, string>();
  for (const codes of [...Object.values(errorCodes), transportCodes]) {
    for (const [code, meaning] of Object.entries(codes) as [ErrorCode, string][]) {
      if (!meanings.has(code)) meanings.set(code, meaning);
    }
  }
  return meanings;
}

/** All codes of a kind. */
export function codesOf<Kind extends ErrorKind>(kind: Kind): CodeOf<Kind>[] {
  return Object.keys(errorCodes[kind]) as CodeOf<Kind>[];
}

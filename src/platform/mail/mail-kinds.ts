/**
 * What a placeholder of a template stands for: words in a sentence, a link, one that some shops lack, or names and values one
 * below the other.
 */
export type PlaceholderForm = 'text' | 'link' | 'optional link' | 'rows';

/** Where and when something about the security of an account happened. */
const security = { details: 'rows' } as const;

/** The number of an order, and its page in the shop front. */
const order = { order: 'text', page: 'optional link' } as const;

/**
 * Every kind of mail, with the placeholders that its template may have beside `commonPlaceholders`. A new kind is a line
 * here; TypeScript then asks the module that sends it for the values, and docs/mails.md lists it.
 */
export const mailKinds = {
  welcome: { link: 'link' },
  'confirm-address': { link: 'link' },
  'address-changed': { former_address: 'text', link: 'link' },
  'address-set-back': { link: 'link' },
  'address-taken-back': {},
  'password-reset': { link: 'link' },
  'password-was-reset': {},
  'password-changed': security,
  'account-suspended': {},
  'account-restored': {},
  'account-deleted': {},
  'signed-out': {},
  'new-device': security,
  'session-ended': security,
  'two-factor-on': security,
  'two-factor-off': security,
  'totp-reset': security,
  'recovery-codes-renewed': security,
  'provider-linked': { ...security, provider: 'text' },
  'provider-unlinked': { ...security, provider: 'text' },
  'role-changed': { ...security, role: 'text' },
  guesses: { ...security, secret: 'text' },
  'api-key-made': { ...security, key: 'text', owner: 'text' },
  'api-key-revoked': { ...security, keys: 'text', owner: 'text' },
  invitation: {
    organization: 'text',
    inviter: 'text',
    role: 'text',
    invitation: 'text',
    expires: 'text',
    link: 'link',
  },
  'workflow-notice': {
    organization: 'text',
    workflow: 'text',
    title: 'text',
    worst: 'rows',
    link: 'link',
  },
  'workflow-trouble': { organization: 'text', workflow: 'text', reason: 'text', link: 'link' },
  'workflow-recovered': { organization: 'text', workflow: 'text', link: 'link' },
  'backup-failed': { reason: 'text', place: 'text' },
  'backup-works-again': { place: 'text' },
  trial: {},
  'order-placed': { ...order, total: 'text', lines: 'rows', sums: 'rows', delivery: 'rows' },
  'order-paid': { ...order, paid: 'text' },
  'order-refunded': { ...order, refund: 'text', refunded: 'text' },
  'order-payment-failed': { ...order, total: 'text' },
  'order-shipped': { ...order, lines: 'rows', delivery: 'rows', tracking: 'rows' },
} as const satisfies Record<string, Record<string, PlaceholderForm>>;

export type MailKind = keyof typeof mailKinds;

/** Those that every mail has: the shop's name, and the recipient's. */
export const commonPlaceholders = { shop: 'text', name: 'text' } as const;

interface Forms {
  text: string;
  link: { label: string; url: string };
  'optional link': { label: string; url: string } | null;
  rows: [string, string][];
}

export type MailValue = Forms[PlaceholderForm];

/** The values of the placeholders of a kind. */
export type MailValues<Kind extends MailKind> = {
  readonly [Name in keyof (typeof mailKinds)[Kind]]: (typeof mailKinds)[Kind][Name] extends PlaceholderForm
    ? Forms[(typeof mailKinds)[Kind][Name]]
    : never;
};

/** The placeholders of a kind, with their forms. */
export function placeholdersOf(kind: MailKind): Record<string, PlaceholderForm> {
  return { ...commonPlaceholders, ...mailKinds[kind] };
}

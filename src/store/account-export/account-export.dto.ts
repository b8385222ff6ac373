import { ApiProperty } from '@nestjs/swagger';
import { DateTimeField } from '../../platform/validation/fields.js';

const items = { type: 'object', additionalProperties: true };
const rowsOf = (description: string) => ApiProperty({ type: 'array', items, description, example: [] });

// Unspecified: the form of an export. Names of fields are those of the tables; more kinds may be added.
export class AccountExport {
  @DateTimeField()
  exported_at: string;
  @rowsOf('The account itself, one entry')
  profile: object[];
  @rowsOf('Addresses kept for orders')
  addresses: object[];
  @rowsOf('Orders with their items, payments and refunds')
  orders: object[];
  @rowsOf('The cart, one entry')
  cart: object[];
  @rowsOf('Reviews of products')
  reviews: object[];
  @rowsOf('What was said about the shop')
  testimonials: object[];
  @rowsOf('Uploaded pictures')
  uploads: object[];
  @rowsOf('Logins on devices, with their addresses')
  sessions: object[];
  @rowsOf('When devices that have signed in before were seen last')
  known_devices: object[];
  @rowsOf('Links in mails that can still be used, without the links')
  mailed_links: object[];
  @rowsOf('Keys of the shop that the caller made, without the keys')
  shop_keys: object[];
  @rowsOf('Saved views of the shop that the caller made')
  shop_views: object[];
  @rowsOf('Notes that the caller, as an admin, wrote about orders')
  order_notes: object[];
  @rowsOf('What happened to the account: logins, failures, changes of what authenticates')
  security_events: object[];
  @rowsOf('What the caller did that the audit log of the shop records')
  actions: object[];
  @rowsOf('Memberships in organizations')
  memberships: object[];
  @rowsOf('Invitations to organizations that wait for an answer')
  received_invitations: object[];
  @rowsOf('Invitations that the caller sent')
  sent_invitations: object[];
  @rowsOf('Organizations that the caller made')
  organizations: object[];
  @rowsOf('API keys of organizations that the caller made, without the keys')
  api_keys: object[];
  @rowsOf('What the caller did with issues, and said about them')
  issue_activities: object[];
}

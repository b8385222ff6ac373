import { type Part } from '../phrasing/told.js';

export const api = {
  theServiceRefusedThis: 'The service refused this.',
  andMore: (faults: Part) => ` (and ${faults} more)`,
  theServiceAnswered: (status: Part) => `The service answered ${status}.`,
  theServiceCannotBeReached: 'The service cannot be reached. Check the connection, then try again.',
  request: (text: Part, requestId: Part) => `${text} (request ${requestId})`,
  /** Why somebody may not see a page, by what it needs. */
  refusals: {
    anyone: '',
    'shop-admin': 'Only an admin of the shop may see this page. Ask one to make you an admin.',
    viewer: 'This page shows an organization, and you belong to none. Make one, or ask to be invited.',
    member: 'Only members and admins of the organization may see this page; you may read. Ask an admin for the role.',
    'organization-admin': 'Only admins of the organization may see this page. Ask one of them for the role.',
  },
};

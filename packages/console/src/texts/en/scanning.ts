import { type Part } from '../phrasing/told.js';

export const scanning = {
  removeTheFilterBy: (kind: Part) => `Remove the filter by ${kind}`,
  foundAtPlaces: (count: Part) => `Found at ${count} places`,
  membersAndAdmins: 'members and admins',
  onlyOfTheOrganizationMay: (who: Part, act: Part) =>
    `Only ${who} of the organization may ${act}. Ask an admin for the role.`,
  dismiss: 'Dismiss',
  admins: 'admins',
};

import type { scanning as english } from '../en/scanning.js';
import { type Part } from '../phrasing/told.js';

export const scanning: typeof english = {
  removeTheFilterBy: (kind: Part) => `Filter ${kind} entfernen`,
  foundAtPlaces: (count: Part) => `An ${count} Stellen gefunden`,
  membersAndAdmins: 'Mitgliedern und Admins',
  onlyOfTheOrganizationMay: (who: Part, act: Part) =>
    `${act}: Das ist ${who} der Organisation vorbehalten. Bitten Sie einen Admin um die Rolle.`,
  dismiss: 'Ausblenden',
  admins: 'Admins',
};

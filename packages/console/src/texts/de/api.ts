import type { api as english } from '../en/api.js';
import { type Part } from '../phrasing/told.js';

export const api: typeof english = {
  theServiceRefusedThis: 'Der Dienst hat das abgelehnt.',
  andMore: (faults: Part) => ` (und ${faults} weitere)`,
  theServiceAnswered: (status: Part) => `Der Dienst hat mit ${status} geantwortet.`,
  theServiceCannotBeReached:
    'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.',
  request: (text: Part, requestId: Part) => `${text} (Anfrage ${requestId})`,
  /** Why somebody may not see a page, by what it needs. */
  refusals: {
    anyone: '',
    'shop-admin': 'Diese Seite ist Admins des Shops vorbehalten. Bitten Sie einen, Sie zum Admin zu machen.',
    viewer:
      'Diese Seite zeigt eine Organisation, und Sie gehören zu keiner. Legen Sie eine an, oder lassen Sie sich einladen.',
    member:
      'Diese Seite ist Mitgliedern und Admins der Organisation vorbehalten; Sie dürfen lesen. Bitten Sie einen Admin um die Rolle.',
    'organization-admin': 'Diese Seite ist Admins der Organisation vorbehalten. Bitten Sie einen um die Rolle.',
  },
};

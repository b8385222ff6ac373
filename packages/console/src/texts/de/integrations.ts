import type { integrations as english } from '../en/integrations.js';
import { type Part, told } from '../phrasing/told.js';

export const integrations: typeof english = {
  valid: 'Gültig',
  parameters: 'Parameter',
  integration: 'Integration',
  isSaved: (name: Part) => told`${name} ist gespeichert`,
  itsCredentialsAreGoneFrom:
    'Ihre Zugangsdaten verschwinden hier. Entziehen Sie sie auch dort, wo sie ausgestellt wurden.',
  delete: (name: Part) => told`${name} löschen?`,
  isDeleted: (name: Part) => told`${name} ist gelöscht`,
  itsCredentialsAreValid: 'Ihre Zugangsdaten sind gültig',
  secretsAreWrittenNeverShown:
    'Geheimnisse werden geschrieben, nie angezeigt: Was als ••• stehen bleibt, bleibt unverändert.',
  nameOfParameter: (at: Part) => `Name von Parameter ${at}`,
  valueOfParameter: (at: Part) => `Wert von Parameter ${at}`,
  removeParameter: (at: Part) => `Parameter ${at} entfernen`,
  addAParameter: 'Parameter hinzufügen',
  changed: 'Geändert',
  integrations: 'Integrationen',
  addIntegrations: 'Integrationen hinzufügen',
  noIntegrationOfThisKind: 'Keine Integration dieser Art',
  noIntegrationYet: 'Noch keine Integrationen',
  showAll: 'Alle anzeigen',
  theyHoldWhatTheService: 'Sie enthalten, was der Dienst für andere Systeme braucht.',
  moreIntegrations: 'Weitere Integrationen',
};

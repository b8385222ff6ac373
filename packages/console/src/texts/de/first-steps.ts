import type { firstSteps as english } from '../en/first-steps.js';
import { type Part } from '../phrasing/told.js';

export const firstSteps: typeof english = {
  firstSteps: 'Erste Schritte',
  doneOf: (done: Part, all: Part) => `${done} von ${all} erledigt`,
  isDone: ', erledigt',
  putAway: 'Ausblenden',
  password: 'Ein eigenes Passwort wählen',
  theOneFromTheStart: 'Das erste steht im Protokoll des Starts oder in einer Einstellung.',
  twoFactor: 'Zwei-Faktor-Anmeldung einrichten',
  soThatThePasswordAlone: 'Dann kommt mit dem Passwort allein niemand hinein.',
  shopName: 'Den Shop benennen',
  customersReadItInMails: 'Kunden lesen den Namen in E-Mails und auf Lieferscheinen.',
  firstProduct: 'Das erste Produkt anlegen',
  byHandOrFromACsv: 'Von Hand oder viele aus einer CSV-Datei.',
  colleague: 'Jemanden zum Admin machen',
  theySignUpInTheShop: 'Die Person registriert sich im Shop; hier geben Sie ihr dann die Rolle.',
  organization: 'Eine Organisation anlegen',
  whatScansFindBelongsToIt: 'Ihr gehört, was Sicherheitsscanner finden.',
  report: 'Einen Bericht importieren',
  sarifZapNucleiAndOthers: 'Ihres Scanners: SARIF, ZAP, Nuclei, Trivy und andere.',
  key: 'Einen Schlüssel für die Pipeline erstellen',
  withItAPipelineImports: 'Damit importiert jeder Build seinen Bericht.',
  gate: 'Builds durch ein Gate anhalten',
  itStopsBuildsWithSeriousIssues:
    'Solche mit schweren Befunden. Erledigt, sobald eine Pipeline ihren Schlüssel benutzt hat.',
  stuckRead: 'Nicht weitergekommen? Lesen Sie',
  theDescriptionOfTheInterface: 'die Beschreibung der Schnittstelle',
};

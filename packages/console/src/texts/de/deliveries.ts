import type { deliveries as english } from '../en/deliveries.js';
import { counted } from './counted.js';
import { type Part } from '../phrasing/told.js';

export const deliveries: typeof english = {
  made: 'Erstellt',
  attempts: 'Versuche',
  lastAnswer: 'Letzte Antwort',
  nextAttempt: 'Nächster Versuch',
  underWay: 'läuft',
  status: (statusCode: Part) => `Status ${statusCode}`,
  theWorkflowRunsWhatIt: 'Der Workflow läuft: Was er sendet, erscheint hier',
  everythingThatWasGivenUp:
    'Alles, was in den letzten 14 Tagen aufgegeben wurde, wird unverändert noch einmal gesendet.',
  replayAllExhaustedDeliveries: 'Alle aufgegebenen Zustellungen wiederholen?',
  replay: 'Wiederholen',
  onTheWayAgain: (count: number) => `${counted(count, 'Zustellung', 'Zustellungen')} wieder unterwegs`,
  theWorkflow: 'Der Workflow',
  replayAllExhausted: 'Alle aufgegebenen wiederholen',
  noDeliveryMatches: 'Keine passende Zustellung',
  noDeliveryYet: 'Noch keine Zustellungen',
  whatTheWorkflowSendsAppears: 'Was der Workflow sendet, erscheint hier, mit der Antwort des Empfängers.',
  runNow: 'Ausführen',
  olderDeliveries: 'Ältere Zustellungen',
  theDeliveryIsOnIts: 'Die Zustellung ist wieder unterwegs',
  delivery: 'Zustellung',
  post: (url: Part) => `POST ${url}`,
  ms: (durationMs: Part) => `· ${durationMs} ms`,
  noneYet: 'Noch keine.',
  theFirst200000Characters: 'Die ersten 200.000 Zeichen.',
  runs: 'Läufe',
  itHasNotRunYet: 'Noch nicht gelaufen.',
  delivery2: (number: Part, status: Part) => `Zustellung ${number}: ${status}`,
};

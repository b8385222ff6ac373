import type { overview as english } from '../en/overview.js';

export const overview: typeof english = {
  new: 'Neu',
  resolved: 'Behoben',
  overview: 'Übersicht',
  openIssuesBySeverity: 'Offene Befunde nach Schweregrad',
  openIssuesBySeverityBy: 'Offene Befunde nach Schweregrad, je Tag',
  openIssuesBySeverityAt: 'Offene Befunde nach Schweregrad am Ende jedes Tages',
  newAndResolvedIssues: 'Neue und behobene Befunde',
  newAndResolvedByWeek: 'Neu und behoben je Woche',
  newAndResolvedIssuesBy: 'Neue und behobene Befunde je Woche',
  runningScans: 'Laufende Scans',
  noScanIsRunning: 'Gerade läuft kein Scan.',
  failingDeliveries: 'Fehlgeschlagene Zustellungen',
  allDeliveriesArrive: 'Alle Zustellungen kommen an.',
};

import type { dashboard as english } from '../en/dashboard.js';
import { type Part } from '../phrasing/told.js';

export const dashboard: typeof english = {
  dashboard: 'Dashboard',
  sales: 'Verkäufe',
  days: (period: Part) => `${period} Tage`,
  revenue: 'Umsatz',
  noOrderYet: 'Noch keine Bestellung.',
  ordersByStatus: 'Bestellungen nach Status',
  bestSellers: 'Bestseller',
  sold: 'Verkauft',
  nothingWasSoldInThis: 'In diesem Zeitraum wurde nichts verkauft.',
  newestOrders: 'Neueste Bestellungen',
  ordersAppearHereAsSoon: 'Bestellungen erscheinen hier, sobald jemand eine aufgibt.',
  toDo: 'Zu erledigen',
  toShip: 'Zu versenden',
  unpaid: 'Unbezahlt',
  problems: 'Probleme',
  lowStock: 'Knapper Bestand',
  newReviews: 'Neue Bewertungen',
  failingDeliveries: 'Fehlgeschlagene Zustellungen',
  inDays: (recentDays: Part) => `in ${recentDays} Tagen`,
  daysBefore: (title: Part, days: Part) => `${title}, ${days} Tage davor`,
  comparedWithTheDaysBefore: (days: Part) => `verglichen mit den ${days} Tagen davor`,
  byDay: (title: Part) => `${title} nach Tag`,
};

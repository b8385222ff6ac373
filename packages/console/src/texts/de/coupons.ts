import type { coupons as english } from '../en/coupons.js';
import { type Part, told } from '../phrasing/told.js';

export const coupons: typeof english = {
  coupon: (id: Part) => `Gutschein ${id}`,
  isSaved: (code: Part) => told`${code} ist gespeichert`,
  itCanNoLongerBe: 'Er kann nicht mehr verwendet werden. Bestellungen damit behalten ihren Rabatt und seinen Code.',
  delete: (code: Part) => told`${code} löschen?`,
  isDeleted: (code: Part) => told`${code} ist gelöscht`,
  lettersDigitsAndHyphensRead: 'Buchstaben, Ziffern und Bindestriche; Groß- und Kleinschreibung ist egal.',
  discountInPercent: 'Rabatt in Prozent',
  usesAtMost: 'Höchste Zahl der Einlösungen',
  active: 'Aktiv',
  shownInThePublicList: 'In der öffentlichen Liste, aus der ein Shop ihn anbieten kann',
  usedTimes: (currentUses: Part) => `${currentUses}-mal eingelöst.`,
  discount: 'Rabatt',
  used: 'Eingelöst',
  of: (currentUses: Part, maxUses: Part) => `${currentUses} von ${maxUses}`,
  listed: 'Öffentlich',
  isEnded: (code: Part) => told`${code} ist beendet`,
  isActiveAgain: (code: Part) => told`${code} ist wieder aktiv`,
  end: (code: Part) => `${code} beenden`,
  end2: 'Beenden',
  coupons: 'Gutscheine',
  noCouponYet: 'Noch keine Gutscheine',
  noCouponMatches: 'Kein passender Gutschein',
  showAllCoupons: 'Alle Gutscheine zeigen',
  aCouponTakesAPercentage: 'Ein Gutschein zieht einen Prozentsatz vom Warenwert einer Bestellung ab.',
};

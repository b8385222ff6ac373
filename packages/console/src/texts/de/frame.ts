import type { frame as english } from '../en/frame.js';
import { type Part } from '../phrasing/told.js';

export const frame: typeof english = {
  youAreOfflineWhatIs:
    'Sie sind offline. Die Anzeige kann veraltet sein; die Seite macht weiter, sobald die Verbindung wieder da ist.',
  thereIsNoSuchPage: 'Diese Seite gibt es nicht',
  theAddressMayBeMistyped:
    'Vielleicht ist die Adresse vertippt. In der Navigation stehen alle Seiten, die Sie sehen dürfen.',
  thisAddressShowsAnOrganization:
    'Diese Adresse zeigt eine Organisation, zu der Sie nicht gehören. Bitten Sie einen ihrer Admins um eine Einladung.',
  show: (name: Part) => `${name} anzeigen`,
  newOrganization: 'Neue Organisation',
  theServiceCannotBeReached: 'Der Dienst ist nicht erreichbar',
  system: 'System',
  light: 'Hell',
  dark: 'Dunkel',
  shopFront: 'Zum Shop',
  skipToTheContent: 'Zum Inhalt springen',
  theme: 'Design',
  screens: 'Seiten',
  partsOfTheService: 'Teile des Dienstes',
  menu: 'Menü',
  chooseNewOrganization: 'Neue Organisation …',
  version: (version: Part) => `Version ${version}`,
  reload: 'Neu laden',
};

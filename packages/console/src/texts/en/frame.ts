import { type Part } from '../phrasing/told.js';

export const frame = {
  youAreOfflineWhatIs: 'You are offline. What is shown may have changed; the page goes on when the connection is back.',
  thereIsNoSuchPage: 'There is no such page',
  theAddressMayBeMistyped: 'The address may be mistyped. The navigation has all pages that you may see.',
  thisAddressShowsAnOrganization:
    'This address shows an organization to which you do not belong. Ask one of its admins to invite you.',
  show: (name: Part) => `Show ${name}`,
  newOrganization: 'New organization',
  theServiceCannotBeReached: 'The service cannot be reached',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  shopFront: 'Shop front',
  skipToTheContent: 'Skip to the content',
  theme: 'Theme',
  screens: 'Screens',
  partsOfTheService: 'Parts of the service',
  menu: 'Menu',
  chooseNewOrganization: 'New organization …',
  version: (version: Part) => `Version ${version}`,
  reload: 'Reload',
};

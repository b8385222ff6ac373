import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Account, insertAdmin, signUp } from '../support/accounts.js';
import { heardOn, linesIn, nonsenseIn } from './heard.js';
import { signInAt, startPlainWayScene, typeAddress, type WayScene } from './way-scene.js';

const group = '7b0c3c52-5a3f-4f6e-9d8e-1f3f6a3e2b11';

let scene: WayScene;
let page: Page & { faults: string[] };
let customer: Account;

beforeAll(async () => {
  const shop = { SHOP_NAME: 'Kontor', SHOP_CURRENCY: 'EUR', SHOP_LOCALE: 'de-DE' };
  scene = await startPlainWayScene({ env: { DEMO_DATA: 'true', ...shop } });
  const { token } = await insertAdmin(scene.app);
  const create = async (json: object) => {
    const { body } = await scene.app.api.post<{ id: number }>('/api/v1/admin/products', { token, json });
    return body.id;
  };
  const reading = { group_id: group, price: 20, description: 'Leuchtet.' };
  const lamp = await create({ ...reading, name: 'Leselampe', slug: 'leselampe', color: 'Salbei', stock: 3 });
  await create({ ...reading, name: 'Leselampe, Ton', slug: 'leselampe-ton', color: 'Ton', stock: 0 });
  await create({ name: 'Becher', slug: 'becher', price: 7.5, stock: 40 });
  customer = await signUp(scene.app);
  const json = { rating: 4, title: 'Schönes Licht', content: 'Zum Lesen genau richtig.' };
  await scene.app.api.post(`/api/v1/reviews/product/${lamp}`, { token: customer.token, json });
  page = await scene.visit({ locale: 'de-DE' });
});
afterAll(async () => {
  await scene?.close();
});

const day = /\d{1,2}\. \p{L}+ \d{4}/u;

/** What is heard of the content of the page that is shown, a line each. All of the page must make sense. */
async function heard(): Promise<string[]> {
  const all = await heardOn(page);
  expect(nonsenseIn(all)).toEqual([]);
  return linesIn(all, 'main').map((line) => line.replace(day, 'TAG').replace(customer.username, 'KUNDE'));
}

const lively = () => page.getByRole('button', { name: 'Eins mehr' }).and(page.locator(':enabled')).first().waitFor();
const buy = () => page.getByRole('button', { name: 'Kostenpflichtig bestellen' }).click();
/** Waits for news that is told without the focus moving. */
const told = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

describe('Who hears the shop, in German', () => {
  it('knows on each page where they are, and where else to go', async () => {
    await page.goto('/search');
    const around = (await heardOn(page)).filter(({ within }) => !within.includes('main'));
    expect(around.map(({ role, name }) => `${role} ${name}`.trim())).toEqual([
      'RootWebArea Alle Produkte – Kontor',
      'link Zum Inhalt springen',
      'banner',
      'group',
      'DisclosureTriangle Menü',
      'link Kontor, Startseite',
      'link Anmelden',
      'link Warenkorb, leer',
      'main',
      'contentinfo',
      'StaticText Kontor',
      'StaticText Gute Dinge für jeden Tag',
      'navigation Shop',
      'heading Shop',
      'link Alle Produkte',
      'navigation Hilfe',
      'heading Hilfe',
      'link Warenkorb',
      'link Ihre Bestellungen',
      'region Sprache und Aussehen',
      'heading Sprache und Aussehen',
      'group Sprache',
      'button English',
      'button Deutsch',
      'group Aussehen',
      'button Wie mein Gerät',
      'button Hell',
      'button Dunkel',
    ]);
  });

  it('hears of each product in a list its name, its price, how people like it, and how few are left', async () => {
    expect(await heard()).toEqual([
      'navigation Sie sind hier',
      'link Start',
      'Alle Produkte',
      'heading Alle Produkte [level=1]',
      'checkbox Filter',
      'status',
      '2 Produkte',
      'combobox Sortieren nach [value=Beste Bewertung]',
      'heading Leselampe [level=2]',
      'link Leselampe',
      '20,00 €',
      'image 4,0 von 5 Sternen, eine Bewertung',
      'Nur noch 3 da',
      'heading Becher [level=2]',
      'link Becher',
      '7,50 €',
    ]);
  });

  it('hears of a product all that there is to choose, and of the cart what each change made of it', async () => {
    await page.goto('/p/leselampe');
    await lively();
    expect(await heard()).toEqual([
      'navigation Sie sind hier',
      'link Start',
      'Leselampe',
      'image Leselampe',
      'heading Leselampe [level=1]',
      'link 4,0 von 5 Sternen, eine Bewertung',
      'image 4,0 von 5 Sternen, eine Bewertung',
      '20,00 €',
      'group Farbe: Salbei',
      'Farbe:',
      'Salbei',
      'link Salbei',
      'link Ton, Ausverkauft',
      'Nur noch 3 da',
      'button Eins weniger [disabled]',
      'spinbutton Menge [required, value=1]',
      'button Eins mehr',
      'button In den Warenkorb',
      'list Versand',
      'Standard: 5,99 €, in etwa 5 Tagen',
      'Express: 12,99 €, in etwa 2 Tagen',
      'region Beschreibung',
      'heading Beschreibung [level=2]',
      'Leuchtet.',
      'region Einzelheiten',
      'heading Einzelheiten [level=2]',
      'term Farbe',
      'Salbei',
      'region Bewertungen',
      'heading Bewertungen [level=2]',
      'image 4 von 5 Sternen',
      '1 Bewertung',
      'link Zum Bewerten anmelden',
      'KUNDE',
      'TAG',
      'image 4 von 5 Sternen',
      'heading Schönes Licht [level=3]',
      'Zum Lesen genau richtig.',
      'region Passt gut dazu',
      'heading Passt gut dazu [level=2]',
      'heading Becher [level=3]',
      'link Becher',
      '7,50 €',
    ]);
    await page.getByRole('button', { name: 'Eins mehr' }).click();
    await told('Menge: 2');
    await page.getByRole('button', { name: 'In den Warenkorb' }).click();
    await page.waitForURL('**/cart?added=yes');
    await lively();
    expect(await heard()).toEqual([
      'heading Ihr Warenkorb [level=1]',
      'status',
      'Der Artikel liegt in Ihrem Warenkorb.',
      'heading Leselampe [level=2]',
      'link Leselampe',
      'Salbei',
      'je 20,00 €',
      'button Eins weniger von Leselampe',
      'spinbutton Anzahl von Leselampe [required, value=2]',
      'button Eins mehr von Leselampe',
      'button Leselampe entfernen',
      '40,00 €',
      'region Zwischensumme',
      'status',
      'Zwischensumme',
      '40,00 €',
      'Der Versand kommt an der Kasse dazu.',
      'link Zur Kasse',
    ]);
    await page.getByRole('button', { name: 'Eins mehr von Leselampe' }).click();
    await told('Anzahl von Leselampe: 3');
    await told('Zwischensumme 60,00');
  });

  it('hears why a login was refused, which field of the checkout is wrong, and what another method costs', async () => {
    await page.getByRole('link', { name: 'Zur Kasse' }).click();
    await page.waitForURL('**/login?**');
    await signInAt(page, { ...customer, password: 'nicht dieses' });
    await page.getByRole('alert').waitFor();
    expect(await heard()).toEqual([
      'heading Anmelden [level=1]',
      'alert',
      'Der Benutzername oder das Passwort ist falsch.',
      'textbox Benutzername [required, value=KUNDE]',
      'textbox Passwort [required]',
      'button Anmelden',
      'link Passwort vergessen?',
      'Neu hier?',
      'link Konto anlegen',
    ]);
    await signInAt(page, customer);
    await page.waitForURL(/^[^?]*\/checkout$/);
    const labels = { Nachname: 'Lovelace', 'Straße und Hausnummer': 'Kai 1', Postleitzahl: '20457', Ort: 'Hamburg' };
    await typeAddress(page, { Vorname: 'A'.repeat(101), ...labels });
    await page.getByRole('radio', { name: /^Express/ }).check();
    await told('Summe: 72,99');
    await buy();
    await page.getByRole('alert').waitFor();
    expect((await heard()).map((line) => line.replace(/A{101}/, 'A…'))).toEqual([
      'heading Kasse [level=1]',
      'alert',
      'Berichtigen Sie, was unten markiert ist.',
      'region Lieferadresse',
      'heading Lieferadresse [level=2]',
      'textbox Vorname [invalid=true, required, value=A…] – Das ist zu lang.',
      'Das ist zu lang.',
      'textbox Nachname [required, value=Lovelace]',
      'textbox Straße und Hausnummer [required, value=Kai 1]',
      'textbox Postleitzahl [required, value=20457]',
      'textbox Ort [required, value=Hamburg]',
      'textbox Land (freiwillig) [value=Deutschland]',
      'textbox Telefon (freiwillig)',
      'checkbox Diese Adresse in meinem Konto behalten',
      'group Versandart',
      'heading Versandart [level=2]',
      'radio Standard etwa 5 Tage 5,99 €',
      'radio Express etwa 2 Tage 12,99 € [checked=true]',
      'region Ihre Bestellung',
      'heading Ihre Bestellung [level=2]',
      'Leselampe',
      '3 Stück',
      '60,00 €',
      'textbox Gutschein (freiwillig)',
      'button Einlösen',
      'term Waren',
      '60,00 €',
      'term Versand',
      '12,99 €',
      'term Summe',
      '72,99 €',
      'button Kostenpflichtig bestellen',
    ]);
    await page.getByLabel('Vorname', { exact: true }).fill('Ada');
    await buy();
    await page.waitForURL('**/payments/demo/**');
  });

  it('hears what is to be paid, and how the order stands', async () => {
    expect(await heard()).toEqual([
      'Kontor',
      'heading Probezahlung [level=1]',
      'Bestellung 1:',
      '72,99 €',
      'Diese Seite steht für den Zahlungsanbieter. Es fließt kein Geld.',
      'button Bezahlen',
      'button Ablehnen',
    ]);
    await page.getByRole('button', { name: 'Bezahlen' }).click();
    await page.getByText('Ihre Zahlung ist da. Danke!').waitFor();
    expect(await heard()).toEqual([
      'link Alle Bestellungen',
      'heading Bestellung 1 [level=1]',
      'status',
      'Ihre Zahlung ist da. Danke!',
      'term Stand',
      'Bezahlt',
      'Aufgegeben am TAG',
      'Erwartet am TAG',
      'heading Geht an [level=2]',
      'group Geht an',
      'Ada Lovelace',
      'Kai 1',
      '20457 Hamburg',
      'Deutschland',
      'region Ihre Bestellung',
      'heading Ihre Bestellung [level=2]',
      'Leselampe',
      '3 Stück',
      '60,00 €',
      'term Waren',
      '60,00 €',
      'term Versand',
      '12,99 €',
      'term Summe',
      '72,99 €',
      'term Bezahlt',
      '72,99 €',
    ]);
    expect(page.faults).toEqual([]);
  });
});

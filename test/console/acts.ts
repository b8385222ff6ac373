import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/receiver.js';
import { goTo } from './console-scene.js';

interface Refusal {
  detail: string | { loc: (string | number)[]; msg: string }[];
}

/** Acts on a page, and reads of the page and the database. */
export class Acts {
  constructor(
    readonly page: Page & { faults: string[] },
    private readonly app: TestApp,
  ) {}

  rows<Row extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.app.database.rows<Row>(sql, values);
  }

  async row<Row extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, values))[0];
  }

  /** Opens a screen afresh, in its initial state. */
  async at(path: string): Promise<void> {
    await goTo(this.page, path);
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
  }

  /** Presses a button; the first of this name, as an empty list offers once more what the head of its screen does. */
  press(name: string, within: Page | Locator = this.page): Promise<void> {
    return within.getByRole('button', { name, exact: true }).first().click();
  }

  /** Opens a menu of a table, if it is closed. */
  async menu(name: string): Promise<Locator> {
    const menu = this.page.getByRole('main').locator('details').filter({ hasText: name }).first();
    if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
    return menu;
  }

  /** Confirms the question that is asked before something is lost. */
  async answer(question: string, act: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: question, exact: true });
    await this.press(act, dialog);
    await dialog.waitFor({ state: 'detached' });
  }

  /** Waits for the message in the corner, and dismisses it. */
  async said(text: string): Promise<void> {
    const toast = this.page.getByRole('status').locator('div').filter({ hasText: text }).last();
    await toast.waitFor();
    await this.press('Dismiss', toast);
    await toast.waitFor({ state: 'detached' });
  }

  /** Does something that the service refuses, and waits for its sentence on the page; returns it. */
  async refused(act: () => Promise<unknown>): Promise<string> {
    const refusing = this.page.waitForResponse(
      (response) => response.status() >= 400 && response.url().includes('/api/v1/'),
    );
    await act();
    const { detail } = (await (await refusing).json()) as Refusal;
    const sentence = typeof detail === 'string' ? detail : (detail[0]?.msg ?? '');
    await this.page.getByText(sentence).first().waitFor();
    const failed = this.page.getByRole('status').getByRole('button', { name: 'Dismiss' });
    if ((await failed.count()) > 0) await failed.last().click();
    return sentence;
  }

  /** Waits until a control has this value. */
  holds(control: Locator, value: string): Promise<void> {
    return until(async () => (await control.inputValue()) === value, `the value ${value}`);
  }

  listOf(name: string): Locator {
    return this.page.getByRole('grid', { name, exact: true }).locator('tbody tr[data-index]');
  }

  /** Waits until a table has this many rows; returns the text of one column of each, counted from 0. */
  async column(name: string, at: number, count: number): Promise<string[]> {
    await until(async () => (await this.listOf(name).count()) === count, `${count} rows of ${name}`);
    return this.listOf(name)
      .locator(`td:nth-child(${at + 1})`)
      .allInnerTexts();
  }

  /** Errors on the page that are not refusals. */
  faults(): string[] {
    return this.page.faults.filter((fault) => !fault.startsWith('Failed to load resource'));
  }
}

/** Does something that prints; returns what is on the paper. */
export async function printed(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.evaluate('globalThis.print = () => { globalThis.isPrinted = true; }');
  await act();
  if (!(await page.evaluate<boolean>('globalThis.isPrinted === true'))) throw new Error('Nothing is printed');
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: 'screen' });
  return text.replace(/\s+/g, ' ').trim();
}

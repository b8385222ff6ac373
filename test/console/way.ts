import type { Locator, Page } from 'playwright-core';
import { en } from '../../packages/console/src/texts/en.js';
import type { Texts } from '../../packages/console/src/texts/texts.js';

/** A user's way through the console, with the number of clicks and keys that it takes; typing and waiting do not count. */
export class Way {
  clicks = 0;
  keys = 0;

  constructor(readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.click(within.getByRole('button', { name, exact: typeof name === 'string' }));
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.keys++;
  }

  /** Opens a screen from the navigation, in the language of the page. */
  async open(screen: string, { frame, common }: Pick<Texts, 'frame' | 'common'> = en): Promise<void> {
    const navigation = this.page.getByRole('navigation', { name: frame.screens });
    await this.click(navigation.getByRole('link', { name: screen, exact: true }));
    await this.page.getByRole('status', { name: common.loading }).first().waitFor({ state: 'detached' });
  }

  async choose(target: Locator, value: string): Promise<void> {
    await target.selectOption(value);
    this.clicks++;
  }

  /** Confirms the question that is asked before something is lost. */
  confirm(name: string): Promise<void> {
    return this.button(name, this.page.getByRole('dialog').last());
  }

  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }
}

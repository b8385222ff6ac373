import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, type InsertedUser } from '../support/accounts.js';
import { insertCoupon, insertProduct } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;
let owner: InsertedUser;

beforeAll(async () => {
  scene = await startConsoleScene({ env: { DEMO_DATA: 'false' } });
  owner = await insertAdmin(scene.app, { username: 'undo.owner' });
  acts = new Acts(await scene.open(owner, 'shop/products'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

const becomes = (sql: string, values: unknown[], expected: object) =>
  until(async () => JSON.stringify(await acts.row(sql, values)) === JSON.stringify(expected), JSON.stringify(expected));

/** Presses Undo in the message, by the keyboard. */
async function undo(text: string): Promise<void> {
  const toast = acts.page.getByRole('status').locator('div').filter({ hasText: text }).last();
  await toast.getByRole('button', { name: 'Undo' }).press('Enter');
}

async function type(figure: string, text: string): Promise<void> {
  await acts.page.getByRole('button', { name: new RegExp(`^${figure}:`) }).click();
  const field = acts.page.getByRole('textbox', { name: figure });
  await field.press('ControlOrMeta+a');
  await field.pressSequentially(text);
  await field.press('Enter');
}

describe('Undo in the message', () => {
  it.each([
    ['Price', '19.99', { price: 19.99, stock: 7 }],
    ['Stock', '2', { price: 5, stock: 2 }],
  ] as const)('gives a product its %s back', async (what, text, changed) => {
    const id = await insertProduct(scene.app, { name: `Undone ${what}`, price: 5, stock: 7 });
    const stored = 'SELECT price::float8 AS price, stock FROM products WHERE id = $1';
    await acts.at(`shop/products?search=Undone ${what}`);
    await type(`${what} of Undone ${what}`, text);
    await becomes(stored, [id], changed);
    await undo(`Undone ${what} is saved`);
    await acts.said(`Undone ${what} is as it was`);
    expect(await acts.row(stored, [id])).toEqual({ price: 5, stock: 7 });
  });

  it('asks rather than overwrite what somebody has changed since', async () => {
    const id = await insertProduct(scene.app, { name: 'Undone late', price: 5, stock: 7 });
    await acts.at('shop/products?search=Undone late');
    await type('Stock of Undone late', '2');
    await becomes('SELECT stock FROM products WHERE id = $1', [id], { stock: 2 });
    await scene.app.api.put(`/api/v1/admin/products/${id}`, { token: owner.token, json: { stock: 1 } });
    await undo('Undone late is saved');
    const question = acts.page.getByRole('dialog', { name: /was changed meanwhile$/ });
    await acts.press('Take theirs', question);
    await question.waitFor({ state: 'detached' });
    expect(await acts.row('SELECT stock FROM products WHERE id = $1', [id])).toEqual({ stock: 1 });
  });

  it('makes a coupon active again, and a testimonial what it was', async () => {
    const id = await insertCoupon(scene.app, 'UNDONE');
    await acts.at('shop/coupons');
    await acts.press('End UNDONE');
    await becomes('SELECT is_active FROM coupons WHERE id = $1', [id], { is_active: false });
    await undo('UNDONE is ended');
    await acts.said('UNDONE is active again');
    expect(await acts.row('SELECT is_active FROM coupons WHERE id = $1', [id])).toEqual({ is_active: true });

    await acts.rows("INSERT INTO testimonials (guest_name, content, rating) VALUES ('Undone guest', 'Lovely.', 5)");
    await acts.at('shop/testimonials');
    const box = acts.page.getByLabel('Feature the testimonial of Undone guest');
    await box.check();
    await acts.page.getByText('The testimonial of Undone guest is featured').waitFor();
    await undo('The testimonial of Undone guest is featured');
    await until(async () => !(await box.isChecked()), 'the box as it was');
    expect(await acts.row('SELECT is_featured FROM testimonials')).toEqual({ is_featured: false });
    expect(acts.faults()).toEqual([]);
  });
});

describe('Audit', () => {
  it('shows who changed what, from what to what and from where, filters it, and leads to the thing', async () => {
    await acts.at('shop/audit');
    const rows = acts.listOf('Audit');
    const change = rows.filter({ hasText: 'changed the product Undone late' }).first();
    await change.waitFor();
    expect(await change.innerText()).toMatch(/undo\.owner[^]*Stock: 2 → 1/);
    await acts.page.getByLabel('About').selectOption('coupon');
    await rows.filter({ hasText: 'product' }).first().waitFor({ state: 'detached' });
    expect(new URL(acts.page.url()).searchParams.get('about')).toBe('coupon');
    await rows.filter({ hasText: 'changed the coupon UNDONE' }).first().getByRole('link', { name: 'UNDONE' }).click();
    await acts.page.getByRole('dialog', { name: 'UNDONE' }).waitFor();
    await acts.at('shop/audit?action=product.deleted');
    await acts.press('Show everything');
    await change.waitFor();
    expect(acts.faults()).toEqual([]);
  });
});

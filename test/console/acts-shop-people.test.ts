import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, insertUser } from '../support/accounts.js';
import { insertCoupon } from '../support/goods.js';
import { until } from '../support/receiver.js';
import { Acts } from './acts.js';
import { type ConsoleScene, startConsoleScene } from './console-scene.js';

let scene: ConsoleScene;
let acts: Acts;

beforeAll(async () => {
  scene = await startConsoleScene();
  acts = new Acts(await scene.open(await insertAdmin(scene.app), 'shop/coupons'), scene.app);
});

afterAll(async () => {
  await scene?.close();
});

const sql = (text: string, values: unknown[]) => scene.app.database.rows(text, values);
const drawer = (title: string) => acts.page.getByRole('dialog', { name: title, exact: true });

describe('Coupons', () => {
  let made = 0;

  it('makes one, and says beside the code why a second one with the same code is refused', async () => {
    const code = `ACTS-${++made}`;
    await acts.page.goto(`${scene.app.baseUrl}/console/shop/coupons`);
    await acts.press('New coupon');
    const form = drawer('New coupon');
    await form.getByLabel('Code').fill(code.toLowerCase());
    await form.getByLabel('Discount in percent').fill('12.5');
    await form.getByLabel('Uses at most').fill('40');
    await form.getByLabel('In the public list').uncheck();
    await acts.press('Create', form);
    await acts.said(`${code} is saved`);
    const stored =
      'SELECT discount_percent::float AS percent, max_uses, is_active, is_public FROM coupons WHERE code = $1';
    expect(await acts.rows(stored, [code])).toEqual([
      { percent: 12.5, max_uses: 40, is_active: true, is_public: false },
    ]);
    await acts.press('New coupon');
    await form.getByLabel('Code').fill(code);
    expect(await acts.refused(() => acts.press('Create', form))).toMatch(/code/i);
    await acts.press('Cancel', form);
    expect(await acts.rows(stored, [code])).toHaveLength(1);
  });

  it('shows the state and use of each as in the database', async () => {
    await insertCoupon(scene.app, 'ACTS-USED', { maxUses: 1200, currentUses: 1200 });
    await insertCoupon(scene.app, 'ACTS-OLD', { expiresAt: new Date('2026-01-01') });
    await acts.page.reload();
    const rows = await acts.rows<{ code: string; used: string; state: string }>(
      `SELECT code, to_char(current_uses, 'FM9,999,999') || ' of ' || to_char(max_uses, 'FM9,999,999') AS used,
              CASE WHEN NOT is_active THEN 'Ended' WHEN expires_at <= now() THEN 'Expired'
                   WHEN current_uses >= max_uses THEN 'Used up' ELSE 'Active' END AS state
         FROM coupons`,
    );
    const shown = await acts.column('Coupons', 0, rows.length);
    const [states, used] = [await acts.column('Coupons', 1, rows.length), await acts.column('Coupons', 3, rows.length)];
    const listed = shown.map((code, at) => ({ code, used: used[at]?.trim(), state: states[at]?.trim() }));
    const byCode = (one: { code: string }, other: { code: string }) => one.code.localeCompare(other.code);
    expect(listed.sort(byCode)).toEqual(rows.sort(byCode));
    expect(await acts.page.getByRole('button', { name: 'End ACTS-OLD' }).count()).toBe(0);
  });

  it('deletes one after a confirmation, and says if it is already gone', async () => {
    const [id, other] = [await insertCoupon(scene.app, 'ACTS-GO'), await insertCoupon(scene.app, 'ACTS-GONE')];
    const kept = 'SELECT count(*)::int AS count FROM coupons WHERE id = $1';
    await acts.at(`shop/coupons?coupon=${id}`);
    await acts.press('Delete', drawer('ACTS-GO'));
    await acts.answer('Delete ACTS-GO?', 'Keep');
    expect(await acts.row(kept, [id])).toEqual({ count: 1 });
    await acts.press('Delete', drawer('ACTS-GO'));
    await acts.answer('Delete ACTS-GO?', 'Delete');
    await acts.said('ACTS-GO is deleted');
    expect(await acts.row(kept, [id])).toEqual({ count: 0 });
    await acts.at(`shop/coupons?coupon=${other}`);
    await drawer('ACTS-GONE').waitFor();
    await sql('DELETE FROM coupons WHERE id = $1', [other]);
    await acts.press('Delete', drawer('ACTS-GONE'));
    expect(await acts.refused(() => acts.answer('Delete ACTS-GONE?', 'Delete'))).toMatch(/not found/i);
  });
});

describe('Customers', () => {
  const stateOf = (id: string) =>
    acts.row('SELECT role, totp_enabled, deleted_at IS NOT NULL AS gone FROM users WHERE id = $1', [id]);

  it('finds by text and by role what is in the database', async () => {
    await insertUser(scene.app, { username: 'acts.found.one' });
    await insertAdmin(scene.app, { username: 'acts.found.two' });
    await acts.at('shop/customers?search=acts.found');
    expect((await acts.column('Customers', 0, 2)).sort()).toEqual(['acts.found.one', 'acts.found.two']);
    await acts.page.getByRole('combobox', { name: 'Role' }).selectOption('admin');
    expect(await acts.column('Customers', 0, 1)).toEqual(['acts.found.two']);
  });

  it('changes a role after a confirmation, and says why a deleted user gets none', async () => {
    const { id } = await insertUser(scene.app, { username: 'acts.riser' });
    await acts.at(`shop/customers?customer=${id}`);
    const role = drawer('acts.riser').getByLabel('Role');
    await role.selectOption('admin');
    await acts.answer('Make acts.riser an admin?', 'Keep');
    expect([await role.inputValue(), await stateOf(id)]).toEqual(['user', expect.objectContaining({ role: 'user' })]);
    await role.selectOption('admin');
    await acts.answer('Make acts.riser an admin?', 'Change role');
    await acts.said('acts.riser is an admin now');
    expect(await stateOf(id)).toMatchObject({ role: 'admin' });
    await acts.holds(role, 'admin');
    await sql('UPDATE users SET deleted_at = now() WHERE id = $1', [id]);
    await role.selectOption('user');
    expect(await acts.refused(() => acts.answer('Make acts.riser a customer?', 'Change role'))).toMatch(/not found/i);
  });

  it('resets a two-factor login, and deletes an account, each after a confirmation', async () => {
    const { id } = await insertUser(scene.app, { username: 'acts.locked' });
    await sql("UPDATE users SET totp_enabled = true, totp_secret = 'sealed' WHERE id = $1", [id]);
    await acts.at(`shop/customers?customer=${id}`);
    await acts.press('Reset two-factor', drawer('acts.locked'));
    await acts.answer('Reset the two-factor login of acts.locked?', 'Reset two-factor');
    await acts.said('The two-factor login of acts.locked is reset');
    expect(await stateOf(id)).toMatchObject({ totp_enabled: false });
    await drawer('acts.locked').getByRole('button', { name: 'Reset two-factor' }).waitFor({ state: 'detached' });
    await acts.press('Delete', drawer('acts.locked'));
    await acts.answer('Delete acts.locked?', 'Delete');
    await acts.said('acts.locked is deleted');
    await drawer('acts.locked').waitFor({ state: 'detached' });
    expect(await stateOf(id)).toMatchObject({ gone: true });
  });

  it('signs somebody out everywhere, suspends an account and lifts that, each after a confirmation', async () => {
    const { id, token } = await insertUser(scene.app, { username: 'acts.stranger' });
    const isSignedIn = async () => (await scene.app.api.get('/api/v1/auth/me', { token })).status === 200;
    const isSuspended = `SELECT suspended_at IS NOT NULL AS suspended FROM users WHERE id = $1`;
    await acts.at(`shop/customers?customer=${id}`);
    await acts.press('Sign out everywhere', drawer('acts.stranger'));
    await acts.answer('Sign acts.stranger out everywhere?', 'Keep');
    expect(await isSignedIn()).toBe(true);
    await acts.press('Sign out everywhere', drawer('acts.stranger'));
    await acts.answer('Sign acts.stranger out everywhere?', 'Sign out');
    await acts.said('acts.stranger is signed out everywhere');
    expect(await isSignedIn()).toBe(false);
    await acts.press('Suspend', drawer('acts.stranger'));
    await acts.answer('Suspend acts.stranger?', 'Suspend');
    await acts.said('acts.stranger is suspended');
    expect(await acts.row(isSuspended, [id])).toEqual({ suspended: true });
    await drawer('acts.stranger').getByText('Suspended', { exact: true }).waitFor();
    await acts.press('Lift suspension', drawer('acts.stranger'));
    await acts.answer('Lift the suspension of acts.stranger?', 'Lift suspension');
    await acts.said('acts.stranger is no longer suspended');
    expect(await acts.row(isSuspended, [id])).toEqual({ suspended: false });
  });

  it('says why an account that must stay cannot be deleted, and does not offer to delete one known to be such', async () => {
    const { id } = await insertUser(scene.app, { username: 'acts.kept' });
    await acts.at(`shop/customers?customer=${id}`);
    await drawer('acts.kept').getByRole('button', { name: 'Delete' }).waitFor();
    await sql('UPDATE users SET can_be_deleted = false WHERE id = $1', [id]);
    await acts.press('Delete', drawer('acts.kept'));
    await acts.refused(() => acts.answer('Delete acts.kept?', 'Delete'));
    await drawer('acts.kept').getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' });
    expect(await stateOf(id)).toMatchObject({ gone: false });
  });
});

describe('Reviews', () => {
  it('lists those of a rating, and removes one after a confirmation', async () => {
    await sql(
      `INSERT INTO reviews (product_id, user_id, rating)
       SELECT p.id, (SELECT id FROM users ORDER BY id LIMIT 1), 4 FROM products p WHERE deleted_at IS NULL ORDER BY p.id LIMIT 3
       ON CONFLICT DO NOTHING`,
      [],
    );
    const [one] = await acts.rows<{ id: number; rating: number }>('SELECT id, rating FROM reviews ORDER BY id LIMIT 1');
    const named = `SELECT p.name FROM reviews r JOIN products p ON p.id = r.product_id WHERE rating = $1
                    ORDER BY r.created_at DESC, r.id DESC LIMIT 50`;
    const names = async () => (await acts.rows<{ name: string }>(named, [one?.rating])).map(({ name }) => name);
    await acts.at('shop/reviews');
    await acts.page.getByRole('combobox', { name: 'Rating' }).selectOption(String(one?.rating));
    const before = await names();
    const shown = async () => (await acts.column('Reviews', 0, before.length)).sort().join();
    await until(async () => (await shown()) === before.sort().join(), 'the reviews of the rating');
    const first = acts.listOf('Reviews').first();
    const product = (await first.locator('td').first().innerText()).trim();
    const count = 'SELECT count(*)::int AS count FROM reviews WHERE rating = $1';
    const all = Number((await acts.row<{ count: number }>(count, [one?.rating]))?.count);
    await acts.press(`Remove the review of ${product}`, first);
    await acts.answer(`Remove this review of ${product}?`, 'Remove');
    await acts.said('The review is removed');
    expect(await acts.row(count, [one?.rating])).toEqual({ count: all - 1 });
    await sql('DELETE FROM reviews', []);
    const gone = (await first.locator('td').first().innerText()).trim();
    await acts.press(`Remove the review of ${gone}`, first);
    expect(await acts.refused(() => acts.answer(`Remove this review of ${gone}?`, 'Remove'))).toMatch(/not found/i);
    await acts.page.getByText('No review').waitFor();
  });
});

describe('Answers', () => {
  const insertReview = async (text: string) => {
    const { id: author } = await insertUser(scene.app, { username: `acts.${text.toLowerCase().replaceAll(' ', '.')}` });
    const [made] = await acts.rows<{ id: number }>(
      `INSERT INTO reviews (product_id, user_id, rating, title, content)
       SELECT max(id), $1, 2, $2, 'It is what it is' FROM products RETURNING id`,
      [author, text],
    );
    return made?.id ?? 0;
  };
  const answerOf = async (table: 'reviews' | 'testimonials', id: number) =>
    (await acts.row<{ answer: string | null }>(`SELECT answer FROM ${table} WHERE id = $1`, [id]))?.answer;
  const box = () => acts.page.getByRole('dialog').getByLabel('Answer', { exact: true });
  const type = async (text: string) => {
    await box().fill('');
    await box().pressSequentially(text);
  };

  it('are typed for a review that a search finds, taken back, and removed', async () => {
    const id = await insertReview('Wobbles at noon');
    await acts.at('shop/reviews');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('WOBBLES AT');
    await until(async () => (await acts.listOf('Reviews').count()) === 1, 'the review that is found');
    await acts.listOf('Reviews').first().getByText('Wobbles at noon').click();
    const name = (await acts.row<{ name: string }>('SELECT name FROM products ORDER BY id DESC LIMIT 1'))?.name ?? '';
    const review = drawer(`Review of ${name}`);
    await review.getByText('It is what it is').waitFor();
    await review.getByText('Not yet').waitFor();
    await type('Sorry!\nA new leg is on its way – 50% off, “too”');
    await acts.press('Save', review);
    await acts.page.getByText(`The review of ${name} is answered`).waitFor();
    expect(await answerOf('reviews', id)).toBe('Sorry!\nA new leg is on its way – 50% off, “too”');
    await review.getByText('Not yet').waitFor({ state: 'detached' });
    await acts.press('Undo', acts.page.getByRole('dialog'));
    await acts.said(`The review of ${name} is no longer answered`);
    expect([await answerOf('reviews', id), await box().inputValue()]).toEqual([null, '']);
    await type('Sorry');
    await acts.press('Save', review);
    await acts.said(`The review of ${name} is answered`);
    await acts.press('Remove answer', review);
    await acts.said(`The review of ${name} is no longer answered`);
    expect([await answerOf('reviews', id), await box().inputValue()]).toEqual([null, '']);
    expect(acts.faults()).toEqual([]);
  });

  it('lead to the next and previous one of the list, and ask before what is typed is lost', async () => {
    await sql("DELETE FROM reviews WHERE title LIKE 'Squeaks%'", []);
    const [first, second] = [await insertReview('Squeaks one'), await insertReview('Squeaks two')];
    await acts.at(`shop/reviews?search=squeaks&review=${second}`);
    const shown = (id: number) =>
      until(async () => new URL(acts.page.url()).searchParams.get('review') === String(id), `the review ${id}`);
    const dialog = acts.page.getByRole('dialog').first();
    const steps = dialog.getByRole('navigation', { name: 'Others in the list' });
    const [previous, next] = [steps.getByRole('button').first(), steps.getByRole('button').last()];
    const may = (name: string) => steps.locator('button[aria-disabled=false]').filter({ hasText: name }).waitFor();
    await dialog.getByText('Squeaks two').waitFor();
    await may('Next');
    expect(await previous.getAttribute('aria-disabled')).toBe('true');
    await next.press('Enter');
    await shown(first);
    await dialog.getByText('Squeaks one').waitFor();
    await may('Previous');
    expect(await acts.page.evaluate('document.activeElement.textContent')).toBe('Next');
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    await next.press('Enter');
    await shown(first);
    await type('Not saved');
    await previous.click();
    await acts.answer('Leave this?', 'Keep');
    expect(await box().inputValue()).toBe('Not saved');
    await previous.click();
    await acts.answer('Leave this?', 'Leave');
    await shown(second);
    await until(async () => (await box().inputValue()) === '', 'the answer of the other one');
    expect(await answerOf('reviews', first)).toBeNull();
  });

  it('show what somebody else answered meanwhile, to choose from, and why one is refused', async () => {
    const id = await insertReview('Rattles');
    await acts.at(`shop/reviews?review=${id}`);
    await type('Mine');
    await sql("UPDATE reviews SET answer = 'Theirs', answered_at = now() WHERE id = $1", [id]);
    await acts.press('Save', acts.page.getByRole('dialog').first());
    const choice = acts.page.getByRole('dialog').nth(1);
    await choice.getByRole('cell', { name: 'Theirs' }).waitFor();
    expect(await answerOf('reviews', id)).toBe('Theirs');
    await acts.press('Keep mine', choice);
    await until(async () => (await answerOf('reviews', id)) === 'Mine', 'my answer');
    await type('Later');
    await sql('DELETE FROM reviews WHERE id = $1', [id]);
    const refused = await acts.refused(() => acts.press('Save', acts.page.getByRole('dialog').first()));
    expect(refused).toMatch(/not found/i);
    expect(await box().inputValue()).toBe('Later');
    await acts.press('Close', acts.page.getByRole('dialog').first());
    await acts.answer('Leave this?', 'Leave');
    await acts.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are not taken back over what somebody else answered since, not even where the drawer is closed', async () => {
    const id = await insertReview('Leans');
    await acts.at(`shop/reviews?review=${id}`);
    await type('Mine');
    await acts.press('Save', acts.page.getByRole('dialog').first());
    await acts.page.getByText('is answered').first().waitFor();
    await acts.press('Close', acts.page.getByRole('dialog').first());
    await sql("UPDATE reviews SET answer = 'Theirs', answered_at = now() WHERE id = $1", [id]);
    await acts.press('Undo', acts.page);
    const choice = acts.page.getByRole('dialog');
    await choice.getByRole('cell', { name: 'Theirs' }).waitFor();
    await acts.press('Take theirs', choice);
    await choice.waitFor({ state: 'detached' });
    expect(await answerOf('reviews', id)).toBe('Theirs');
  });

  it('are typed for a testimonial of a guest that a search finds', async () => {
    const [made] = await acts.rows<{ id: number }>(
      `INSERT INTO testimonials (guest_name, guest_role, content, rating)
       VALUES ('Acts Ottilie', 'Potter', 'Came unbroken', 5) RETURNING id`,
    );
    const id = made?.id ?? 0;
    await acts.at('shop/testimonials');
    await acts.page.getByRole('searchbox', { name: 'Search' }).pressSequentially('ottilie');
    await until(async () => (await acts.listOf('Testimonials').count()) === 1, 'the testimonial that is found');
    await acts.listOf('Testimonials').first().getByText('Came unbroken').click();
    const testimonial = drawer('Testimonial of Acts Ottilie');
    await testimonial.getByText('Acts Ottilie, Potter').waitFor();
    await type('Thank you');
    await acts.press('Save', testimonial);
    await acts.said('The testimonial of Acts Ottilie is answered');
    expect(await answerOf('testimonials', id)).toBe('Thank you');
    await sql('DELETE FROM testimonials WHERE id = $1', [id]);
    expect(acts.faults()).toEqual([]);
  });
});

describe('Testimonials', () => {
  it('features one and reverts that, deletes one, and shows the others unchanged', async () => {
    await sql("DELETE FROM testimonials WHERE guest_name LIKE 'Acts guest%'", []);
    const made = await acts.rows<{ id: number; name: string }>(
      `INSERT INTO testimonials (guest_name, content, rating, is_featured)
       SELECT 'Acts guest ' || n, 'Good', 5, false FROM generate_series(1, 3) AS n RETURNING id, guest_name AS name`,
    );
    const featured = async (at: number) =>
      (await acts.row<{ is: boolean }>('SELECT is_featured AS is FROM testimonials WHERE id = $1', [made[at]?.id]))?.is;
    await acts.at('shop/testimonials');
    await acts.page.reload();
    const box = (name: string) => acts.page.getByLabel(`Feature the testimonial of ${name}`, { exact: true });
    await box('Acts guest 1').check();
    await acts.said('The testimonial of Acts guest 1 is featured');
    expect(await featured(0)).toBe(true);
    await acts.page.getByLabel('Featured alone').check();
    await box('Acts guest 2').waitFor({ state: 'detached' });
    const all = await acts.rows('SELECT id FROM testimonials WHERE is_featured');
    await acts.column('Testimonials', 0, all.length);
    await box('Acts guest 1').click();
    await acts.said('The testimonial of Acts guest 1 is no longer featured');
    expect(await featured(0)).toBe(false);
    await acts.page.getByLabel('Featured alone').uncheck();
    await box('Acts guest 2').waitFor();
    await acts.press('Delete the testimonial of Acts guest 2');
    await acts.answer('Delete the testimonial of Acts guest 2?', 'Delete');
    await acts.said('The testimonial is deleted');
    expect(await featured(1)).toBeUndefined();
    await acts.page.route('**/api/v1/testimonials/*', (route) => route.abort());
    await box('Acts guest 3').click();
    await acts.said('The service cannot be reached. Check the connection, then try again.');
    await acts.page.unroute('**/api/v1/testimonials/*');
    expect([await box('Acts guest 3').isChecked(), await featured(2)]).toEqual([false, false]);
    expect(acts.faults()).toEqual([]);
  });
});

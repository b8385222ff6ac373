import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser, signIn } from '../support/accounts.js';
import { admin } from '../support/demo-template.js';
import { insertProduct } from '../support/goods.js';
import { type PagesScene, startPagesScene, violationsInAllLooks } from './pages-scene.js';

const evil = 'Fine </script><script>document.title = "taken"</script>';
const praise = 'A voice that is answered';

let scene: PagesScene;
let product: number;
/** Answers the review or the testimonial with this path. */
let answer: (path: string, text: string | null) => Promise<void>;
let review: string;
let testimonial: string;

beforeAll(async () => {
  scene = await startPagesScene();
  const { api } = scene.app;
  const token = await signIn(scene.app, admin.username, admin.password);
  const customer = await insertUser(scene.app, { first_name: 'Rita' });
  product = await insertProduct(scene.app, { name: 'Answered Bowl', stock: 3 });
  const write = async (path: string, json: object) => {
    const { body } = await api.post<{ id: number }>(`/api/v1/${path}`, { token: customer.token, json });
    return body.id;
  };
  review = `reviews/${await write(`reviews/product/${product}`, { rating: 2, title: 'Heavy' })}`;
  const voice = await write('testimonials/', { content: praise });
  testimonial = `testimonials/${voice}`;
  await api.put(`/api/v1/testimonials/${voice}`, { token, json: { is_featured: true } });
  answer = async (path, text) => {
    const { status } = await api.put(`/api/v1/admin/${path}/answer`, { token, json: { answer: text } });
    expect([path, status]).toEqual([path, 200]);
  };
});

afterAll(async () => {
  await scene?.close();
});

describe('The answers of the shop', () => {
  it.each([
    ['en-US', 'Store Service answers'],
    ['de-DE', 'Store Service antwortet'],
  ])('stand under a review and a testimonial, as text, for a visitor of %s', async (locale, words) => {
    const page = await scene.newPage({ locale });
    const places = [
      [`/p/${product}`, review, page.getByRole('article').filter({ hasText: 'Heavy' })],
      ['/', testimonial, page.getByRole('listitem').filter({ hasText: praise })],
    ] as const;
    for (const [path, answered, place] of places) {
      await answer(answered, null);
      await page.goto(scene.origin + path);
      await place.waitFor();
      const title = await page.title();
      expect(await place.getByText(words).count()).toBe(0);
      await answer(answered, evil);
      await page.reload();
      await place.getByText(words, { exact: true }).waitFor();
      expect([await place.getByText(evil).count(), await page.title()]).toEqual([1, title]);
      expect(await violationsInAllLooks(page)).toEqual([]);
    }
    expect(page.faults).toEqual([]);
    await page.context().close();
  });
});

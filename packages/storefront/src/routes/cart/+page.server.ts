import { fail, redirect } from '@sveltejs/kit';
import { addToCart, type CartProblem, cartOf, setQuantity } from '$lib/server/cart.ts';
import { mostPieces } from '$lib/server/guest-cart.ts';
import { isSessionEnded, ofCustomer } from '$lib/server/refusals.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, url } = event;
  const cart = locals.session.isOpen ? await ofCustomer(event, () => cartOf(event)) : await cartOf(event);
  return { cart, isAdded: url.searchParams.has('added'), isCut: url.searchParams.has('cut') };
};

/** A whole number in a form; null for anything else, and beyond its bounds. */
function numberIn(form: FormData, name: string, least: number, most: number): number | null {
  const text = form.get(name);
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

/** Changes the cart; whoever's session has ended goes on as a guest. */
async function change(event: RequestEvent, work: () => Promise<CartProblem | null>) {
  try {
    return await work();
  } catch (error) {
    if (!isSessionEnded(error)) throw error;
    event.locals.signOut();
    return work();
  }
}

const refused = (problem: CartProblem | 'quantity') => fail(problem === 'quantity' ? 400 : 409, { problem });

export const actions: Actions = {
  add: async (event) => {
    const form = await event.request.formData();
    const product = numberIn(form, 'product_id', 1, Number.MAX_SAFE_INTEGER);
    const quantity = form.has('quantity') ? numberIn(form, 'quantity', 1, mostPieces) : 1;
    if (product === null) return refused('gone');
    if (quantity === null) return refused('quantity');
    const problem = await change(event, () => addToCart(event, product, quantity));
    if (problem) return refused(problem);
    return redirect(303, '/cart?added=yes');
  },

  set: async (event) => {
    const form = await event.request.formData();
    const product = numberIn(form, 'product_id', 1, Number.MAX_SAFE_INTEGER);
    const quantity = numberIn(form, 'quantity', 0, mostPieces);
    if (product === null) return refused('gone');
    if (quantity === null) return refused('quantity');
    const problem = await change(event, () => setQuantity(event, product, quantity));
    if (problem) return refused(problem);
    return redirect(303, '/cart');
  },
};

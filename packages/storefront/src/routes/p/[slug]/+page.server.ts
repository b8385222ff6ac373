import { StoreApiError, type StoreClient } from '@store-service/sdk';
import { fail, redirect } from '@sveltejs/kit';
import { toCard } from '$lib/card-product.ts';
import { answered, answeredWhole } from '$lib/server/answered.ts';
import { departmentsOf } from '$lib/server/departments.ts';
import { productAt } from '$lib/server/product-at.ts';
import { keepBriefly } from '$lib/server/kept-briefly.ts';
import type { Actions, PageServerLoad } from './$types';

const reviewsPerPage = 8;
const lastReviewPage = 1_000;
const longestTitle = 200;
const longestContent = 5_000;

export const load: PageServerLoad = async (event) => {
  const { locals, params, url } = event;
  const { api } = locals;
  const product = await answered(productAt(api, params.slug).then((data) => ({ data })));
  const { id: product_id, slug } = product;
  if (slug !== null && slug !== params.slug) redirect(301, `/p/${slug}${url.search}`);
  const page = reviewPageOf(url);
  const [departments, reviews, related] = await Promise.all([
    departmentsOf(event),
    answeredWhole(
      api.reviews.list({
        path: { product_id },
        query: { skip: (page - 1) * reviewsPerPage, limit: reviewsPerPage },
      }),
    ),
    answered(api.products.related({ path: { product_id } })),
  ]);
  keepBriefly(event);
  return {
    product,
    way: wayTo(product.categories ?? [], departments),
    related: related.products.slice(0, 4).map(toCard),
    reviews: {
      page,
      total: Number(reviews.response.headers.get('x-total-count') ?? reviews.data.length),
      perPage: reviewsPerPage,
      list: reviews.data.map(({ id, rating, title, content, image_url, created_at, answer, answered_at, user }) => ({
        id,
        rating,
        title,
        content,
        image_url,
        created_at,
        answer,
        answered_at,
        name: [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username,
        avatar_url: user.avatar_url,
      })),
    },
  };
};

function reviewPageOf(url: URL): number {
  const page = Number(url.searchParams.get('reviews') ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= lastReviewPage ? page : 1;
}

interface Named {
  slug: string;
  name: string;
}

/** The department and the shelf of a product. */
function wayTo(slugs: readonly string[], departments: readonly (Named & { children: readonly Named[] })[]): Named[] {
  for (const { slug, name, children } of departments) {
    const shelf = children.find((child) => slugs.includes(child.slug));
    if (shelf)
      return [
        { slug, name },
        { slug: shelf.slug, name: shelf.name },
      ];
    if (slugs.includes(slug)) return [{ slug, name }];
  }
  return [];
}

type ReviewProblem = 'missingRating' | 'tooLong' | 'already' | 'badPicture' | 'failed';

const problemOf = (error: unknown): ReviewProblem => {
  if (!(error instanceof StoreApiError)) return 'failed';
  if (error.code === 'already_reviewed') return 'already';
  return [413, 415, 422].includes(error.status) ? 'badPicture' : 'failed';
};

/** Removes the photo of a review that was refused; whatever keeps that from happening, the refusal is what counts. */
async function forget(api: StoreClient, address: string): Promise<void> {
  const [filename = '', kind = ''] = address.split('/').toReversed();
  const path = { kind, filename };
  await api.uploads.remove({ path }).catch(() => undefined);
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '');

export const actions: Actions = {
  /** Publishes a review, with a photo if there is one. */
  review: async ({ locals: { api, session }, params, request, url }) => {
    const login = `/login?next=${encodeURIComponent(`${url.pathname}#reviews`)}`;
    if (!session.isOpen) redirect(303, login);
    const form = await request.formData();
    const text = (name: string) => textOf(form.get(name)).trim();
    const rating = Number(text('rating'));
    const title = text('title');
    const content = text('content');
    const refused = (problem: ReviewProblem, status = 400) => fail(status, { problem, rating, title, content });
    if (!Number.isInteger(rating) || rating < 1 || rating > 5) return refused('missingRating');
    if (title.length > longestTitle || content.length > longestContent) return refused('tooLong');
    const photo = form.get('photo');
    let picture: string | null = null;
    try {
      const product = await productAt(api, params.slug);
      picture =
        photo instanceof File && photo.size > 0
          ? (await api.uploads.general({ body: { file: photo } })).data.url
          : null;
      await api.reviews.create({
        path: { product_id: product.id },
        body: { rating, title: title || null, content: content || null, image_url: picture },
      });
    } catch (error) {
      if (picture !== null) await forget(api, picture);
      if (error instanceof StoreApiError && error.status === 401) redirect(303, login);
      return refused(problemOf(error), error instanceof StoreApiError ? error.status : 503);
    }
    return redirect(303, `${url.pathname}?reviewed=yes#reviews`);
  },
};

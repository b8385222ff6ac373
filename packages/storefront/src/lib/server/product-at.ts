import { type ProductDetail, StoreApiError, type StoreClient } from '@store-service/sdk';

/** The product at an address: its slug, or its number, since not every product has a slug. */
export async function productAt(api: StoreClient, address: string): Promise<ProductDetail> {
  try {
    return (await api.products.getBySlug({ path: { slug: address } })).data;
  } catch (problem) {
    const isUnknown = problem instanceof StoreApiError && (problem.status === 404 || problem.status === 422);
    if (!isUnknown || !/^[1-9]\d{0,8}$/.test(address)) throw problem;
    return (await api.products.get({ path: { product_id: Number(address) } })).data;
  }
}

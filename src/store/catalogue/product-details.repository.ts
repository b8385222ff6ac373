import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import * as statements from './product-details.statements.js';

/** A picture of a gallery. */
export interface StoredImage {
  url: string;
  alt: string | null;
}

/** What is stored beside a product: its gallery, its categories and its slugs. */
@Injectable()
export class ProductDetailsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the gallery of a locked product; its first picture is the product's own. */
  async setImages(productId: number, images: readonly StoredImage[]): Promise<void> {
    await this.database.execute(statements.clearImages, [productId]);
    if (images.length > 0) await this.database.execute(statements.addImages, [productId, JSON.stringify(images)]);
  }

  /** The ids of categories by their slugs. */
  async categoryIds(slugs: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.rows<{ id: number; slug: string }>(statements.categoryIds, [slugs]);
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  }

  /** Puts a locked product into these categories alone. */
  async setCategories(productId: number, ids: readonly number[]): Promise<void> {
    await this.database.execute(statements.leaveCategories, [productId, ids]);
    await this.database.execute(statements.enterCategories, [productId, ids]);
  }

  /** Gives a locked product a slug that it had before, or nobody has; returns whether that was so. */
  async takeSlug(productId: number, slug: string): Promise<boolean> {
    if ((await this.database.row(statements.takeSlug, [slug, productId])) === null) return false;
    await this.forgetSlugs([productId]);
    return true;
  }

  /** Forgets the oldest slugs of products that have had many. */
  async forgetSlugs(productIds: readonly number[]): Promise<void> {
    await this.database.execute(statements.forgetSlugs, [productIds]);
  }

  /** Whether the shop shows more than `most` products of one of these groups. */
  async hasOverfullGroup(groups: readonly string[], most: number): Promise<boolean> {
    return (await this.database.row(statements.overfullGroup, [groups, most])) !== null;
  }

  /** Puts locked products into categories; returns the id of one that is then in more than `most`, or null. */
  async enterTogether(
    productIds: readonly number[],
    categoryIds: readonly number[],
    most: number,
  ): Promise<number | null> {
    await this.database.execute(statements.enterTogether, [productIds, categoryIds]);
    return (await this.database.row<{ id: number }>(statements.overfull, [productIds, most]))?.id ?? null;
  }

  /** Takes locked products out of categories. */
  async leaveTogether(productIds: readonly number[], categoryIds: readonly number[]): Promise<void> {
    await this.database.execute(statements.leaveTogether, [productIds, categoryIds]);
  }

  /** Takes locked products out of every cart. */
  async leaveCarts(productIds: readonly number[]): Promise<void> {
    await this.database.execute(statements.leaveCarts, [productIds]);
  }

  /** The product that has or had a slug, if it is not deleted. */
  async idBySlug(slug: string): Promise<number | null> {
    return (await this.database.shortReadOfRow<{ id: number }>(statements.idBySlug, [slug]))?.id ?? null;
  }
}

import type { UploadsService } from '../../store/uploads/uploads.service.js';
import { people } from '../data/shop/people.js';
import type { DemoProduct } from '../data/shop/products/demo-product.js';
import { testimonials } from '../data/shop/testimonials.js';
import { named } from '../named.js';
import type { AvatarLook } from '../pictures/avatar.js';
import { demoProducts, pictureColor } from './products.js';
import { renderAvatar, renderPicture } from '../pictures/render-pictures.js';

/** The URLs of the demo's pictures: by product name, and by username or guest name. */
export interface PictureUrls {
  products: Map<string, string>;
  avatars: Map<string, string>;
}

interface Picture {
  kind: 'product' | 'avatar';
  filename: string;
  render: () => Promise<Buffer>;
}

/** Enough to keep the image library's threads busy. */
const workers = 4;

/**
 * Draws all pictures of the demo, a few at a time, and saves them one after the other, since saving may share a
 * connection. Products that look the same share a picture.
 */
export async function savePictures(save: UploadsService['saveGenerated']): Promise<PictureUrls> {
  const products = new Map(demoProducts.map((product) => [product.name, pictureOf(product)]));
  const avatars = new Map(portraits());
  const pictures = [...products.values(), ...avatars.values()];
  const urls = new Map<string, string>();
  for (const { kind, filename, bytes } of await renderAll(pictures)) {
    urls.set(filename, await save(kind, filename, bytes));
  }
  return { products: urlsOf(products, urls), avatars: urlsOf(avatars, urls) };
}

function pictureOf(product: DemoProduct): Picture {
  const color = pictureColor(product);
  const filename = fileName(`${product.picture}-${color}`);
  return { kind: 'product', filename, render: () => renderPicture(product.picture, color) };
}

/** The portraits of the users, and of the guests who have one. */
function portraits(): [string, Picture][] {
  const guests = testimonials.flatMap(({ author }) => ('guest' in author ? author.guest : []));
  return [
    ...people.map(({ username, look }) => portraitOf(username, look)),
    ...guests.flatMap(({ name, look }) => (look ? [portraitOf(name, look)] : [])),
  ];
}

function portraitOf(person: string, look: AvatarLook): [string, Picture] {
  return [person, { kind: 'avatar', filename: fileName(`avatar-${person}`), render: () => renderAvatar(look) }];
}

async function renderAll(pictures: readonly Picture[]): Promise<(Picture & { bytes: Buffer })[]> {
  const rendered: (Picture & { bytes: Buffer })[] = [];
  const waiting = new Map(pictures.map((picture) => [picture.filename, picture])).values();
  // The workers take from one iterator, so that each picture is drawn once.
  const worker = async (): Promise<void> => {
    for (const picture of waiting) rendered.push({ ...picture, bytes: await picture.render() });
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return rendered;
}

function urlsOf(pictures: ReadonlyMap<string, Picture>, urls: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...pictures].map(([thing, { filename }]) => [thing, named(urls, filename)]));
}

function fileName(words: string): string {
  return `demo-${words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.webp`;
}

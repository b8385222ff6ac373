import { people } from './people.js';
import type { AvatarLook } from './pictures/avatar.js';
import { renderAvatar, renderPicture } from './pictures.js';
import { demoProducts, pictureColor } from './products.js';
import { testimonials } from './testimonials.js';

/** Keeps a WebP picture and returns the URL that it is served under. */
export type SavePicture = (name: string, bytes: Buffer) => Promise<string>;

/** The URLs of the demo's pictures: by product name, and by username or guest name. */
export interface PictureUrls {
  products: Map<string, string>;
  avatars: Map<string, string>;
}

interface Job {
  name: string;
  render: () => Promise<Buffer>;
}

/** Enough to keep the image library's threads busy. */
const inFlight = 4;

/**
 * Draws all pictures of the demo, a few at a time, and saves them one after the other, since saving may share a connection.
 * Products that look the same share a picture.
 */
export async function savePictures(save: SavePicture): Promise<PictureUrls> {
  const jobs = new Map<string, Job>();
  const products = demoProducts.map((product) => {
    const color = pictureColor(product);
    const name = fileName(`${product.picture}-${color}`);
    jobs.set(name, { name, render: () => renderPicture(product.picture, color) });
    return [product.name, name] as const;
  });
  const avatars = portraits().map(([person, look]) => {
    const name = fileName(`avatar-${person}`);
    jobs.set(name, { name, render: () => renderAvatar(look) });
    return [person, name] as const;
  });
  const urls = await runAll([...jobs.values()], save);
  return { products: urlsBy(products, urls), avatars: urlsBy(avatars, urls) };
}

function portraits(): [string, AvatarLook][] {
  const guests = testimonials.flatMap(({ author }) => ('guest' in author ? author.guest : []));
  return [
    ...people.map(({ username, look }): [string, AvatarLook] => [username, look]),
    ...guests.flatMap(({ name, look }): [string, AvatarLook][] => (look ? [[name, look]] : [])),
  ];
}

async function runAll(jobs: Job[], save: SavePicture): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const { name, bytes } of await renderAll(jobs)) urls.set(name, await save(name, bytes));
  return urls;
}

async function renderAll(jobs: Job[]): Promise<{ name: string; bytes: Buffer }[]> {
  const pictures: { name: string; bytes: Buffer }[] = [];
  const waiting = jobs.values();
  // The workers take from one iterator, so that each job is done once.
  const worker = async (): Promise<void> => {
    for (const { name, render } of waiting) pictures.push({ name, bytes: await render() });
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return pictures;
}

function urlsBy(names: (readonly [string, string])[], urls: Map<string, string>): Map<string, string> {
  return new Map(names.flatMap(([thing, name]) => (urls.has(name) ? [[thing, urls.get(name) ?? '']] : [])));
}

function fileName(words: string): string {
  return `demo-${words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.webp`;
}

import { readFile } from 'node:fs/promises';
import { demoProducts, named, people, pictureFile, testimonials } from '@store-service/demo';
import type { UploadsService } from '../../store/uploads/uploads.service.js';

/** The URLs of the demo's pictures: by product name, and by username or guest name. */
export interface PictureUrls {
  products: Map<string, string>;
  avatars: Map<string, string>;
}

type Kind = 'product' | 'avatar';

/** Saves all pictures of the demo, one after the other, since saving may share a connection. Products may share a picture. */
export async function savePictures(save: UploadsService['saveGenerated']): Promise<PictureUrls> {
  const products = new Map(demoProducts.map(({ name, picture }) => [name, picture]));
  const avatars = new Map(portrayed().map((person) => [person, portraitOf(person)]));
  const urls = new Map<string, string>();
  const saveAll = async (kind: Kind, pictures: ReadonlySet<string>): Promise<void> => {
    for (const name of pictures)
      urls.set(name, await save(kind, `demo-${name}.webp`, await readFile(pictureFile(name))));
  };
  await saveAll('product', new Set(products.values()));
  await saveAll('avatar', new Set(avatars.values()));
  return { products: urlsOf(products, urls), avatars: urlsOf(avatars, urls) };
}

/** The users, and the guests who have a portrait. */
function portrayed(): string[] {
  const guests = testimonials.flatMap(({ author }) => ('guest' in author ? author.guest : []));
  return [
    ...people.map(({ username }) => username),
    ...guests.filter(({ hasPortrait }) => hasPortrait).map(({ name }) => name),
  ];
}

function portraitOf(person: string): string {
  return `avatar-${person.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function urlsOf(pictures: ReadonlyMap<string, string>, urls: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...pictures].map(([thing, picture]) => [thing, named(urls, picture)]));
}

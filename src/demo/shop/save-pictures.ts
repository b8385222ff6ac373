import { readFile } from 'node:fs/promises';
import { demoProducts, departments, named, people, pictureFile, reviewTexts, testimonials } from '@store-service/demo';
import type { UploadKind } from '../../store/uploads/upload.entity.js';
import type { UploadsService } from '../../store/uploads/uploads.service.js';

/** The URLs of the demo's pictures: by the picture's name, and of people by username or guest name. */
export interface PictureUrls {
  pictures: Map<string, string>;
  avatars: Map<string, string>;
}

/** Saves all pictures of the demo, one after the other, since saving may share a connection. Things may share a picture. */
export async function savePictures(save: UploadsService['saveGenerated']): Promise<PictureUrls> {
  const avatars = new Map(portrayed().map((person) => [person, portraitOf(person)]));
  const urls = new Map<string, string>();
  const saveAll = async (kind: UploadKind, names: ReadonlySet<string>): Promise<void> => {
    for (const name of names) urls.set(name, await save(kind, `demo-${name}.webp`, await readFile(pictureFile(name))));
  };
  await saveAll(
    'product',
    new Set([...demoProducts.flatMap((product) => product.pictures.map(({ name }) => name)), ...categoryPictures()]),
  );
  await saveAll('general', new Set(reviewTexts.flatMap(({ photo }) => photo ?? [])));
  await saveAll('avatar', new Set(avatars.values()));
  return { pictures: urls, avatars: urlsOf(avatars, urls) };
}

function categoryPictures(): string[] {
  return departments.flatMap(({ picture, shelves }) => [picture, ...shelves.map((shelf) => shelf.picture)]);
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

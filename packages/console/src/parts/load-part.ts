import { base } from '../router.svelte.js';
import { texts } from '../texts/texts.js';

/** The console's files were upgraded on the server: the ones that this page would load next are gone. */
export class Renewed extends Error {
  constructor() {
    super(texts.parts.theConsoleWasRenewedSince);
  }
}

/** Loads a part of the console. Distinguishes an upgrade of the service, which removes the old parts, from a lost connection. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const page = await fetch(base, { cache: 'no-store' }).catch(() => null);
    throw page?.ok ? new Renewed() : error;
  }
}

import type { PageReads } from '../cache/page-reads.js';
import type { ResponseCache } from '../cache/response-cache.js';

/** A page as the shop front made it. */
export interface MadePage {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: string;
  /** Whether it shows what was asked for: only then it is kept. */
  isWhole: boolean;
}

/** As long as the pages themselves allow every cache on their way (`s-maxage`). */
const freshMs = 30_000;
/** No address of the API begins so: keys of pages lie in the same cache as those of its responses. */
const prefix = '\n';

/**
 * Pages that show nothing of a visitor, in the cache of the public reads that they are made of: each until a change of what it shows.
 * Visitors who ask for the same page at once get the one that is made for the first.
 */
export class KeptPages {
  constructor(
    private readonly cache: ResponseCache,
    private readonly reads: PageReads,
  ) {}

  /** The page under the key, or the one that `make` makes, whose calls name it by `page`. */
  async find(key: string, page: string, make: () => Promise<MadePage>): Promise<Omit<MadePage, 'isWhole'>> {
    const at = prefix + key;
    const compute = async () => {
      const { made, cacheTags } = await this.reads.during(page, make);
      const { status, headers, body, isWhole } = made;
      return {
        answer: { status, headers, body: Buffer.from(body) },
        cacheTags: isWhole ? cacheTags : undefined,
      };
    };
    const kept = this.cache.look(at);
    const { status, headers, body } = kept ?? (await this.cache.find(at, { route: 'page', freshMs, compute }));
    return { status, headers, body: body.toString() };
  }
}

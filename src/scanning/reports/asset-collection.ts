import { type AssetDraft, uriOf } from '../assets/asset-draft.js';

/** The asset that a caller names for all findings of a report: a known one, or one to be created. */
export interface NamedAsset {
  draft: AssetDraft;
  uri: string;
  id: string | null;
}

/** The assets that a caller names: one for all findings, and one for those that name none. */
export interface NamedAssets {
  named: NamedAsset | null;
  fallback: NamedAsset | null;
}

// Unspecified: how many assets a report may be about, and how many addresses and ports of each are kept.
const maxAssets = 20_000;
const maxOfOne = 1_000;

function union(known: string[], more: string[]): string[] {
  return [...new Set([...known, ...more])].slice(0, maxOfOne);
}

/** Merges the ports and addresses that two findings give for one asset. */
function unite(known: AssetDraft, { host, frontend }: AssetDraft): void {
  if (known.frontend && frontend) known.frontend.ips = union(known.frontend.ips, frontend.ips);
  if (!known.host || !host) return;
  known.host.ips = union(known.host.ips, host.ips);
  const ports = new Set(known.host.ports.map(({ port }) => port));
  const more = host.ports.filter(({ port }) => !ports.has(port));
  known.host.ports = [...known.host.ports, ...more].slice(0, maxOfOne);
}

/** The distinct assets of a report. */
export class AssetCollection {
  private readonly drafts = new Map<string, AssetDraft>();

  /** The known ones, by uri: the service need not look for them. */
  readonly known = new Map<string, string>();

  /** `named` is the asset of all findings, `fallback` of those that name none. */
  constructor(
    private readonly named: NamedAsset | null,
    private readonly fallback: NamedAsset | null,
  ) {}

  /** The assets to find or create, without the known one. */
  get wanted(): AssetDraft[] {
    return [...this.drafts.values()];
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get size(): number {
    return this.drafts.size + this.known.size;
  }

  /** Whether the other collection has all of this one. */
  isWithin(other: AssetCollection): boolean {
    const uris = [...this.drafts.keys(), ...this.known.keys()];
    return uris.every((uri) => other.drafts.has(uri) || other.known.has(uri));
  }

  /** Adds an asset and returns its uri; null if there are too many. */
  add(draft: AssetDraft): string | null {
    if (this.named) return this.addNamed(this.named);
    if (this.fallback?.draft === draft) return this.addNamed(this.fallback);
    const uri = uriOf(draft);
    const known = this.drafts.get(uri);
    if (known) unite(known, draft);
    else if (this.drafts.size >= maxAssets) return null;
    else this.drafts.set(uri, draft);
    return uri;
  }

  private addNamed({ uri, id, draft }: NamedAsset): string {
    if (id === null) this.drafts.set(uri, draft);
    else this.known.set(uri, id);
    return uri;
  }

  static readonly tooMany = `The report is about more than ${maxAssets} assets: only findings of the first ones are kept`;
}

import { Injectable } from '@nestjs/common';
import { Invalid } from '../../platform/errors/invalid.js';
import { type AssetDraft, uriOf } from '../assets/asset-draft.js';
import { assetUri } from '../assets/asset-uri.js';
import type { NamedAsset, NamedAssets } from './asset-collection.js';
import { hostAndPort } from './nuclei-places.js';
import {
  cloudResource,
  codeProject,
  frontendAt,
  hostAt,
  isCloudResource,
  repositoryName,
  webUrlOf,
} from './report-assets.js';
import { identifierOf } from './report-text.js';
import { type AssetNameRow, ReportsRepository } from './reports.repository.js';
import type { ImportQuery } from './import-query.dto.js';

const scheme = 'asset://';
const mostNamed = 4;
const maxName = 500;
/** A Git repository rather than a site: by SSH, or by the ending `.git`. */
const repositoryAddress = /^(?:git|ssh|git\+ssh):\/\/|^[\w.-]+@[a-z\d.-]+:|\.git\/?$/i;

function ambiguous(name: string, assets: AssetNameRow[]): Invalid {
  const uris = assets.map(({ uri }) => uri).join(', ');
  const sentence = `Several assets are named ${name}: send the uri of one, such as ${uris}`;
  return Invalid.at(['query', 'asset'], 'value_error', sentence);
}

/** The draft for an unknown `asset://` uri, where an address alone is enough for its class. */
function draftOfUri(uri: string): AssetDraft {
  const [, kebab = '', address = ''] = /^asset:\/\/([a-z-]+)\/(.+)$/s.exec(uri) ?? [];
  const url = webUrlOf(`https://${address}`);
  const host = hostAndPort(address);
  if (kebab === 'code-project' && address !== '') return codeProject(address);
  if (kebab === 'cloud-component' && address !== '') return cloudResource(address);
  if (kebab === 'frontend' && url) return frontendAt(url);
  if (kebab === 'host' && host && host.port === null) return hostAt(host.address, [], []);
  const sentence =
    'There is no asset with this uri, and an import cannot create one of its class: create it with POST /api/v1/assets';
  throw Invalid.at(['query', 'asset'], 'value_error', sentence, uri);
}

/** A site at a path, one of possibly several at an origin. */
function siteAt(url: URL): AssetDraft {
  const site = frontendAt(url);
  const path = url.pathname.replace(/\/$/, '');
  if (path === '' || !site.frontend) return site;
  const address = identifierOf(`${site.name}${path}`, maxName);
  site.name = address;
  site.frontend.url = address;
  return site;
}

/** The draft for a name: the repository, site, host or resource of that address, else something of that name. */
function draftOfName(name: string, isOfCode: boolean): AssetDraft {
  if (isCloudResource(name)) return cloudResource(name);
  if (isOfCode || repositoryAddress.test(name)) return codeProject(repositoryName(name));
  const url = webUrlOf(name);
  if (url) return siteAt(url);
  const host = /[.:]/.test(name) ? hostAndPort(name) : null;
  if (host) return hostAt(host.address, [], host.port === null ? [] : [host.port]);
  // Unspecified: an asset that has only a name, in a report of a web scanner. It is a site.
  return { name, type: 'WEBAPP', class: 'FRONTEND' };
}

/** Resolves the asset that a caller names for an import. */
@Injectable()
export class NamedAssetsService {
  constructor(private readonly repository: ReportsRepository) {}

  /** The assets that a query names; throws what `named` throws. */
  async of(organizationId: string, { asset, repository }: ImportQuery, isOfCode: boolean): Promise<NamedAssets> {
    if (asset !== undefined) return { named: await this.named(organizationId, asset, isOfCode), fallback: null };
    if (repository === undefined) return { named: null, fallback: null };
    return { named: null, fallback: await this.named(organizationId, repository, true) };
  }

  /**
   * Returns the organization's asset of that uri, address or name, else a draft of one: of sources for a report of
   * code. `Invalid` where several have the name, and for a uri of a class that imports do not create.
   */
  private async named(organizationId: string, given: string, isOfCode: boolean): Promise<NamedAsset> {
    const text = given.trim();
    if (text === '')
      throw Invalid.at(['query', 'asset'], 'string_too_short', 'Name an asset, or omit the parameter', given);
    const draft = text.startsWith(scheme) ? null : draftOfName(text, isOfCode);
    const uris = draft ? urisOf(draft) : [text];
    const known = await this.repository.assetsNamed(organizationId, uris, text, mostNamed);
    const byUri = uris.flatMap((uri) => known.find((one) => one.uri === uri) ?? [])[0];
    if (byUri) return toNamed(byUri);
    const [first, ...others] = draft ? known : [];
    if (first && others.length > 0) throw ambiguous(text, known);
    if (first) return toNamed(first);
    const made = draft ?? draftOfUri(text);
    return { draft: made, uri: uriOf(made), id: null };
  }
}

/** The uri of the draft, and that of a repository of the same address that somebody created. */
function urisOf(draft: AssetDraft): string[] {
  const uri = uriOf(draft);
  return draft.class === 'CODE_PROJECT' ? [uri, assetUri('REPOSITORY', draft.name)] : [uri];
}

function toNamed({ id, uri, name, type, class: assetClass }: AssetNameRow): NamedAsset {
  return { draft: { name, type, class: assetClass }, uri, id };
}

import { textOf } from './report-text.js';

/** A package in one version, as a scanner of dependencies names it. */
export interface NamedPackage {
  /** The same for every version of it, and for all tools that give its purl: `pkg:npm/@acme/cart`. */
  key: string;
  name: string;
  /** Empty if the report gives none. */
  version: string;
}

/** The types of package URLs (https://github.com/package-url/purl-spec) by the ecosystems that tools name instead. */
const purlTypes: Record<string, string> = {
  npm: 'npm',
  'node-pkg': 'npm',
  yarn: 'npm',
  pnpm: 'npm',
  bun: 'npm',
  pip: 'pypi',
  pipenv: 'pypi',
  poetry: 'pypi',
  uv: 'pypi',
  'python-pkg': 'pypi',
  pypi: 'pypi',
  gomod: 'golang',
  gobinary: 'golang',
  go: 'golang',
  bundler: 'gem',
  gemspec: 'gem',
  cargo: 'cargo',
  rustbinary: 'cargo',
  'rust-binary': 'cargo',
  composer: 'composer',
  'composer-vendor': 'composer',
  jar: 'maven',
  pom: 'maven',
  gradle: 'maven',
  'gradle-lockfile': 'maven',
  maven: 'maven',
  sbt: 'maven',
  nuget: 'nuget',
  'dotnet-core': 'nuget',
  alpine: 'apk/alpine',
  wolfi: 'apk/wolfi',
  debian: 'deb/debian',
  ubuntu: 'deb/ubuntu',
  redhat: 'rpm/redhat',
  centos: 'rpm/centos',
  rocky: 'rpm/rocky',
  alma: 'rpm/alma',
  fedora: 'rpm/fedora',
  amazon: 'rpm/amazon',
  oracle: 'rpm/oracle',
};

const maxPurl = 2_000;

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A package URL without its version, qualifiers and subpath; null for anything else. */
function withoutVersion(purl: string): { key: string; version: string } | null {
  if (!/^pkg:[a-z]/i.test(purl)) return null;
  const [bare = ''] = purl.slice(4).replace(/^\/+/, '').split(/[?#]/, 1);
  const at = bare.lastIndexOf('@');
  // An @ that begins a name is that of a scope.
  const isVersion = at > 0 && at > bare.lastIndexOf('/') && bare.charAt(at - 1) !== '/';
  const named = isVersion ? bare.slice(0, at) : bare;
  const [type = '', ...rest] = named.split('/');
  return {
    key: `pkg:${[type.toLowerCase(), ...rest.map(unescaped)].join('/')}`,
    version: isVersion ? unescaped(bare.slice(at + 1)) : '',
  };
}

/** The package of a purl, or else of an ecosystem and a name; null if neither says which one it is. */
export function packageOf(given: {
  purl?: unknown;
  ecosystem?: unknown;
  name?: unknown;
  version?: unknown;
}): NamedPackage | null {
  const name = textOf(given.name, 300);
  const version = textOf(given.version, 200);
  const purl = withoutVersion(textOf(given.purl, maxPurl));
  if (purl) {
    const own = purl.key.slice(purl.key.indexOf('/') + 1);
    return { key: purl.key, name: name || own, version: version || purl.version };
  }
  if (name === '') return null;
  const ecosystem = textOf(given.ecosystem, 100).toLowerCase();
  const type = Object.hasOwn(purlTypes, ecosystem) ? (purlTypes[ecosystem] ?? ecosystem) : ecosystem;
  // Maven's group and artifact are separated by a colon in its own notation.
  const path = type === 'maven' ? name.replace(':', '/') : name;
  return { key: `pkg:${[type || 'generic', path].join('/')}`, name, version };
}

/** The package with its version, as its users write it. */
export function inVersion({ name, version }: NamedPackage): string {
  return version === '' ? name : `${name} ${version}`;
}

import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl, parseWebUrl } from './parse-url.js';

/** A bucket of S3, or of a compatible server, and a place in it. */
export interface BucketPlace {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  origin: string;
  bucket: string;
  /** The beginning of all keys: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The place of uploaded pictures. */
export interface StorageSettings {
  /** Unset: on disk, under `dataDir`. */
  bucket: BucketPlace | undefined;
  /** The public address of the bucket, past the service. */
  publicUrl: string | undefined;
}

const options = new Set(['region', 'tls']);
/** The form of the address of a bucket. */
export const bucketTakes =
  's3://KEY:SECRET@HOST/BUCKET, optionally with a folder after BUCKET, and with region=… or tls=false after "?"; ' +
  'in KEY and SECRET, "/" is written %2F, "+" %2B and "@" %40';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The region in the name of an AWS host; others mostly accept any. */
function regionOf(host: string): string {
  return /^s3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? 'us-east-1';
}

/** The place in the address of a bucket, or undefined. */
export function parseBucketUrl(value: string): BucketPlace | undefined {
  const url = parseUrl(value);
  if (url?.protocol !== 's3:' || !url.hostname || url.hash) return undefined;
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  const isPlace = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && folders.every((name) => /^[\w.-]+$/.test(name));
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)];
  const { searchParams: query } = url;
  const [region, tls] = [query.get('region') ?? regionOf(url.hostname), query.get('tls') ?? 'true'];
  const fits = /^[a-z0-9-]{1,50}$/.test(region) && /^(true|false)$/.test(tls);
  if (!isPlace || !accessKeyId || !secretAccessKey || !fits) return undefined;
  if ([...query.keys()].some((name) => !options.has(name))) return undefined;
  return {
    origin: `${tls === 'true' ? 'https' : 'http'}://${url.host}`,
    bucket,
    prefix: folders.map((name) => `${name}/`).join(''),
    region,
    accessKeyId,
    secretAccessKey,
  };
}

/** Reads the settings of the storage. */
export function readStorageSettings(read: EnvironmentReader): StorageSettings {
  const url = read.secret('STORAGE_URL', bucketTakes, (value) => parseBucketUrl(value) !== undefined);
  const publicUrl = read.parsed<string | undefined>('PUBLIC_STORAGE_URL', 'an http(s) URL', undefined, parseWebUrl);
  if (publicUrl !== undefined && read.text('STORAGE_URL') === undefined) {
    read.problems.push(
      'PUBLIC_STORAGE_URL is the public address of the bucket of STORAGE_URL: set STORAGE_URL too, or remove both',
    );
  }
  return { bucket: url === undefined ? undefined : parseBucketUrl(url), publicUrl };
}

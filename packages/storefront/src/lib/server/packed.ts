import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);
const level = 4;
/** What fits into one packet anyway. */
const smallest = 1_200;

const takesGzip = (accepted: string | null): boolean =>
  (accepted ?? '').split(',').some((one) => {
    const [coding, quality = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && Number(quality.slice(2)) > 0;
  });

/**
 * The answer compressed, where it is text that holds no secret: the pages of an account and of a checkout go as they are, since the
 * length of what is compressed tells of what is in it.
 */
export async function packed(answer: Response, accepted: string | null): Promise<Response> {
  const { status, headers } = answer;
  const isText = /^(text\/html|application\/json|application\/xml)/.test(headers.get('content-type') ?? '');
  const isPersonal = headers.get('cache-control')?.includes('no-store') ?? true;
  if (status !== 200 || !isText || isPersonal || headers.has('content-encoding') || !takesGzip(accepted)) return answer;
  const text = await answer.arrayBuffer();
  if (text.byteLength < smallest) return new Response(text, answer);
  const bytes = await pack(text, { level });
  const changed = new Headers(headers);
  changed.set('content-encoding', 'gzip');
  changed.set('content-length', String(bytes.byteLength));
  changed.delete('etag');
  return new Response(bytes, { status, headers: changed });
}

/** A message of a stream; one without data only moves the id. */
export interface SentMessage {
  id: string | undefined;
  event: string;
  data: string | undefined;
}

/** The messages in the text of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export async function* messagesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SentMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  let fields: Record<string, string> = {};
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
      if (name !== undefined) fields[name] = value;
      if (line !== '') continue;
      const { id, event = 'message', data } = fields;
      fields = {};
      yield { id, event, data };
    }
  }
}

/** The chunks of a body, until none comes for too long: `firstMs` for the first one, then `idleMs`. */
export async function* livelyChunks(
  body: ReadableStream<Uint8Array>,
  { firstMs, idleMs }: { firstMs: number; idleMs: number },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let waitMs = firstMs; ; waitMs = idleMs) {
      const timer = setTimeout(() => void reader.cancel().catch(() => undefined), waitMs);
      const { value } = await reader.read().finally(() => clearTimeout(timer));
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

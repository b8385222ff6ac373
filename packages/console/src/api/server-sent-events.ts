/** A message of a stream; one without data only moves the id. */
export interface SentMessage {
  id?: string;
  event: string;
  data?: string;
  /** The wait before the next connection. */
  retryMs?: number;
}

interface Fields {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

function messageOf({ id, event = 'message', data, retry }: Fields): SentMessage {
  return {
    event,
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retryMs: Number(retry) }),
  };
}

/**
 * The messages of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), grouped by the chunk that brought
 * them; an empty group for a comment. `EventSource` cannot send the token of a session.
 */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<SentMessage[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let fields: Fields = {};
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      const messages: SentMessage[] = [];
      for (const line of lines) {
        const [, name, text = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name === 'data' && fields.data !== undefined) fields.data += `\n${text}`;
        else if (name !== undefined) Object.assign(fields, { [name]: text });
        if (line !== '') continue;
        if (Object.keys(fields).length > 0) messages.push(messageOf(fields));
        fields = {};
      }
      yield messages;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** A message of a stream; one without data only moves the id. */
export interface ServerSentEvent {
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

function eventOf({ id, event = 'message', data, retry }: Fields): ServerSentEvent {
  return {
    event,
    ...(id !== undefined && { id }),
    ...(data !== undefined && { data }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retryMs: Number(retry) }),
  };
}

/**
 * Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Yields the events that
 * each chunk completed; none for a heartbeat, which says that the connection lives.
 */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent[]> {
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
      const events: ServerSentEvent[] = [];
      for (const line of lines) {
        const [, name, text = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name === 'data' && fields.data !== undefined) fields.data += `\n${text}`;
        else if (name !== undefined) Object.assign(fields, { [name]: text });
        if (line !== '') continue;
        if (Object.keys(fields).length > 0) events.push(eventOf(fields));
        fields = {};
      }
      yield events;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** How long a stream may be silent before it is given up. */
export interface Silence {
  /** Until it begins: 10,000 by default. */
  firstMs?: number;
  /** From one chunk to the next: 45,000 by default, three heartbeats of the service. */
  idleMs?: number;
}

type Open = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null>;

/** Opens a stream and reads it until it ends, is silent for too long, or the signal aborts, which rejects. */
export async function* readWhileLively(
  open: Open,
  { firstMs = 10_000, idleMs = 45_000 }: Silence,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent[]> {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (ms: number) => {
    if (Number.isFinite(ms)) timer = setTimeout(() => end.abort(), ms);
  };
  allow(firstMs);
  try {
    const body = await open(signal ? AbortSignal.any([end.signal, signal]) : end.signal);
    if (!body) return;
    for await (const events of readServerSentEvents(body)) {
      clearTimeout(timer);
      yield events;
      allow(idleMs);
    }
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

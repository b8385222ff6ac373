import type { AttachmentCreate, ExchangeRequest, ExchangeResponse } from './scan-event-append.shapes.js';

function headerLines(headers: Record<string, unknown> = {}): string[] {
  return Object.entries(headers).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

function messageLines({ headers, body = '' }: Pick<ExchangeRequest | ExchangeResponse, 'headers' | 'body'>): string[] {
  return [...headerLines(headers), body];
}

function linesOf({ exchange, snippet, screenshot }: AttachmentCreate): (string | undefined)[] {
  if (exchange) {
    const { request, response } = exchange;
    const received = response ? [String(response.status), ...messageLines(response)] : [];
    return [`${request.method} ${request.url}`, ...messageLines(request), ...received];
  }
  if (snippet) return [snippet.name, snippet.language, snippet.content];
  // A data URL is not text.
  return screenshot ? [screenshot.url.startsWith('data:') ? undefined : screenshot.url, screenshot.alt] : [];
}

/** The searchable text of attachments. */
export function attachmentText(attachments: readonly AttachmentCreate[]): string {
  return attachments
    .flatMap(linesOf)
    .filter((line) => line)
    .join('\n');
}

import type { Exchange, ScanEventAttachment } from './scan-event.js';

function headerLines(headers: Exchange['request']['headers']): string[] {
  return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
}

function messageText(first: string, { headers, body }: Pick<Exchange['request'], 'headers' | 'body'>): string {
  return [first, ...headerLines(headers), ...(body ? ['', body] : [])].join('\n');
}

function exchangeText({ request, response, durationMs }: Exchange): string {
  const took = durationMs === undefined || durationMs === null ? '' : ` (${durationMs} ms)`;
  const asked = messageText(`${request.method} ${request.url}`, request);
  return response
    ? `${asked}\n\n${messageText(`Answer ${response.status}${took}`, response)}`
    : `${asked}\n\nNo answer${took}`;
}

/** What an attachment holds, for reading. */
export function attachmentText({ exchange, snippet, screenshot }: ScanEventAttachment): string {
  if (exchange) return exchangeText(exchange);
  if (snippet) {
    const title = [snippet.name, snippet.language && `(${snippet.language})`].filter(Boolean).join(' ');
    return title ? `${title}\n\n${snippet.content}` : snippet.content;
  }
  return screenshot ? [screenshot.url, screenshot.alt].filter(Boolean).join('\n') : '';
}

import type { EventAttachment, Exchange, Screenshot } from '@store-service/sdk';

function headerLines(headers: Exchange['request']['headers']): string[] {
  return Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
}

function messageText(first: string, { headers, body }: Pick<Exchange['request'], 'headers' | 'body'>): string {
  return [first, ...headerLines(headers), ...(body ? ['', body] : [])].join('\n');
}

function exchangeText({ request, response, durationMs }: Exchange): string {
  const took = durationMs === undefined ? '' : ` (${durationMs} ms)`;
  const asked = messageText(`${request.method} ${request.url}`, request);
  return response
    ? `${asked}\n\n${messageText(`Answer ${response.status}${took}`, response)}`
    : `${asked}\n\nNo answer${took}`;
}

function screenshotText({ url, alt }: Screenshot): string {
  const address = url.startsWith('data:') ? `A picture of ${url.length} characters, which -o json shows` : url;
  return alt ? `${address}\n${alt}` : address;
}

/** The content of an attachment as text for people. */
export function attachmentText({ exchange, snippet, screenshot }: EventAttachment): string {
  if (exchange) return exchangeText(exchange);
  if (snippet) {
    const title = [snippet.name, snippet.language && `(${snippet.language})`].filter(Boolean).join(' ');
    return title ? `${title}\n\n${snippet.content}` : snippet.content;
  }
  return screenshot ? screenshotText(screenshot) : '';
}

/** A page, and its address. */
export interface VisitedPage {
  url: URL;
  html: string;
}

const valueIn = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** Goes through pages as a browser without scripts does: follows redirects, and keeps cookies. */
export class CookieJar {
  private readonly cookies = new Map<string, string>();

  /** The first address among redirects that is the wanted one, which is not requested. */
  async follow(from: string, isWanted: (url: URL) => boolean): Promise<URL> {
    const { url } = await this.go(new URL(from), {}, isWanted);
    return url;
  }

  /** The page at an address. */
  page(from: string): Promise<VisitedPage> {
    return this.go(new URL(from), {}, () => false);
  }

  /** Sends the form of a page, with these values beside those that it has. */
  submit({ url, html }: VisitedPage, values: Record<string, string>): Promise<VisitedPage> {
    const hidden = (html.match(/<input\b[^>]*>/g) ?? []).map((tag) => [valueIn(tag, 'name'), valueIn(tag, 'value')]);
    const body = new URLSearchParams({ ...Object.fromEntries(hidden.filter(([name]) => name)), ...values });
    const action = valueIn(/<form\b[^>]*>/.exec(html)?.[0] ?? '', 'action');
    return this.go(new URL(action || url.href, url), { method: 'POST', body }, () => false);
  }

  private async go(start: URL, request: RequestInit, isWanted: (url: URL) => boolean): Promise<VisitedPage> {
    let [url, init] = [start, request];
    for (let hops = 0; hops < 20; hops++) {
      if (isWanted(url)) return { url, html: '' };
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { ...init, headers: { cookie }, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) this.keep(line);
      const location = response.headers.get('location');
      if (location === null) return { url, html: await response.text() };
      await response.body?.cancel();
      [url, init] = [new URL(location, url), {}];
    }
    throw new Error(`Too many redirects from ${start.href}`);
  }

  private keep(line: string): void {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

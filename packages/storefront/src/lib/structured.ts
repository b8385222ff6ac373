/** Structured data for search engines, as it may stand in a page: no name in it can end the element. */
export const structured = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`;

/** The way to a page, as search engines take it. */
export const breadcrumbOf = (origin: string, steps: { name: string; href: string }[]): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + href,
  })),
});

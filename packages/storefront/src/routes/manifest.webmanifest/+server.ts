import type { RequestHandler } from './$types';

/** Lets a phone keep the shop beside its apps. */
export const GET: RequestHandler = async (event) => {
  const shop = await event.locals.shop();
  const manifest = {
    id: '/',
    name: shop.name,
    short_name: shop.name.slice(0, 20),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: event.locals.language,
    background_color: '#faf8f4',
    theme_color: '#faf8f4',
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=300' },
  });
};

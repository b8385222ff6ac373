import { circle, ellipse, line, mirrored, path, rect, repeated, ring } from './shapes.js';

/** How a drawn portrait looks. */
export interface AvatarLook {
  backdrop: string;
  skin: string;
  hair: string;
  shirt: string;
  style: HairStyle;
  glasses?: true;
  beard?: true;
}

type HairStyle = keyof typeof hairStyles;

const hairStyles = {
  short: (c: string) =>
    path('M206 270 Q196 132 320 130 Q444 132 434 270 Q424 216 380 204 Q300 216 262 196 Q218 216 206 270Z', c),
  long: (c: string) =>
    path(
      'M190 470 Q160 124 320 120 Q480 124 450 470 Q420 480 404 450 L404 230 Q330 236 300 196 Q270 236 236 236 L236 450 Q220 480 190 470Z',
      c,
    ),
  bob: (c: string) =>
    path(
      'M196 380 Q170 126 320 122 Q470 126 444 380 Q420 384 412 360 L408 232 Q320 240 276 200 Q252 230 232 240 L228 360 Q220 384 196 380Z',
      c,
    ),
  bun: (c: string) =>
    circle(320, 112, 52, c) + path('M206 276 Q200 140 320 138 Q440 140 434 276 Q420 210 320 204 Q220 210 206 276Z', c),
  curly: (c: string) =>
    repeated(11, (i) =>
      circle(
        320 + Math.round(Math.cos(Math.PI + (i * Math.PI) / 10) * 116),
        262 + Math.round(Math.sin(Math.PI + (i * Math.PI) / 10) * 108),
        44,
        c,
      ),
    ) + ellipse(320, 190, 100, 60, c),
  bald: (c: string) => mirrored(path('M204 300 Q198 262 212 234 Q222 268 220 300Z', c)),
  quiff: (c: string) =>
    path(
      'M208 264 Q196 168 262 146 Q330 96 404 128 Q446 160 432 264 Q426 220 404 200 Q310 230 232 190 Q214 220 208 264Z',
      c,
    ),
};

const hairBehind: ReadonlySet<HairStyle> = new Set<HairStyle>(['long', 'bob', 'curly', 'bun']);

/** Draws a portrait on a 640 by 640 canvas. */
export function drawAvatar(look: AvatarLook): string {
  const ink = '#2f333d';
  const hair = hairStyles[look.style](look.hair);
  return [
    rect(0, 0, 640, 640, 0, look.backdrop),
    hairBehind.has(look.style) ? hair : '',
    path('M96 640 Q104 484 236 462 L404 462 Q536 484 544 640Z', look.shirt),
    path('M262 400 L378 400 L384 474 Q320 528 256 474Z', look.skin),
    mirrored(ellipse(208, 304, 22, 30, look.skin)),
    path('M208 270 Q208 164 320 164 Q432 164 432 270 L428 330 Q414 438 320 440 Q226 438 212 330Z', look.skin),
    look.beard
      ? path(
          'M211 316 Q214 452 320 456 Q426 452 429 316 Q404 372 372 366 Q320 346 268 366 Q236 372 211 316Z',
          look.hair,
        )
      : '',
    mirrored(circle(274, 292, 12, ink) + line('M252 258 Q272 246 294 256', look.hair, 8)),
    line('M320 300 Q308 334 324 338', ink, 5),
    look.beard ? line('M292 384 Q320 402 348 384', '#f4efe6', 8) : line('M282 376 Q320 412 358 376', ink, 8),
    mirrored(`<g opacity="0.35">${circle(246, 344, 20, '#e0685a')}</g>`),
    look.glasses ? mirrored(ring(272, 292, 36, ink, 7)) + line('M308 288 Q320 280 332 288', ink, 7) : '',
    hairBehind.has(look.style) ? fringe(look) : hair,
  ].join('');
}

function fringe(look: AvatarLook): string {
  if (look.style === 'curly') return repeated(5, (i) => circle(240 + i * 40, 186 - (i % 2) * 12, 34, look.hair));
  return path(
    'M206 284 Q198 148 320 146 Q442 148 434 284 Q428 226 392 206 Q330 226 288 190 Q248 216 228 222 Q212 244 206 284Z',
    look.hair,
  );
}

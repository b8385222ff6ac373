import { circle, ellipse, faded, line, mirrored, path, rect, repeated, seam, turned, within } from './shapes.js';
import type { Tones } from './tones.js';

function foldedCloth(t: Tones): string {
  return repeated(4, (i) => {
    const y = 420 - i * 64;
    return (
      rect(132, y, 376, 74, 37, i % 2 === 0 ? t.base : t.light) +
      path(`M440 ${y} h31 a37 37 0 0 1 0 74 h-31 q30 -37 0 -74Z`, t.dark)
    );
  });
}

function leafStem(t: Tones, degrees: number, color: string): string {
  return turned(
    degrees,
    320,
    350,
    path('M320 350 Q270 250 320 130 Q370 250 320 350Z', color) + line('M320 340 L320 190', t.leafDark, 5),
  );
}

export const homeDrawings = {
  'table-lamp': (t: Tones) =>
    faded(0.5, path('M196 300 L444 300 L520 500 L120 500Z', '#fff3c9')) +
    rect(308, 290, 24, 150, 6, t.wood) +
    path('M236 500 Q238 428 320 424 Q402 428 404 500Z', t.wood) +
    path('M338 426 Q402 432 404 500 L352 500Z', t.woodDark) +
    path('M244 134 L396 134 L462 306 L178 306Z', t.base) +
    path('M352 134 L396 134 L462 306 L384 306Z', t.dark) +
    path('M244 134 L274 134 L232 306 L178 306Z', t.light),
  'floor-lamp': (t: Tones) =>
    faded(0.5, path('M216 226 L424 226 L520 520 L120 520Z', '#fff3c9')) +
    line('M320 220 L320 380 M320 360 L230 524 M320 360 L410 524 M320 360 L320 524', t.wood, 14) +
    circle(320, 362, 18, t.woodDark) +
    path('M252 92 L388 92 L440 232 L200 232Z', t.base) +
    path('M350 92 L388 92 L440 232 L376 232Z', t.dark),
  cushion: (t: Tones) =>
    path('M140 150 Q320 190 500 150 Q460 320 500 490 Q320 450 140 490 Q180 320 140 150Z', t.base) +
    seam('M166 178 Q320 212 474 178 Q438 320 474 462 Q320 428 166 462 Q202 320 166 178Z', t.light) +
    repeated(4, (i) =>
      line(`M${196 + i * 2} ${236 + i * 56} q62 -44 124 0 t${122 - i * 2} 0`, i % 2 === 0 ? t.dark : t.light, 12),
    ),
  blanket: (t: Tones) =>
    foldedCloth(t) +
    repeated(14, (i) => line(`M${158 + i * 22} 494 l-4 32`, t.dark, 6)) +
    line('M150 326 L420 326 M150 454 L420 454', t.paper, 6),
  'picnic-blanket': (t: Tones) =>
    foldedCloth(t) +
    repeated(5, (i) => rect(164 + i * 54, 228, 22, 266, 0, t.paper)) +
    repeated(4, (i) => rect(150, 250 + i * 64, 290, 12, 0, t.paper)) +
    rect(210, 216, 26, 284, 6, t.woodDark) +
    rect(388, 216, 26, 284, 6, t.woodDark) +
    line('M223 216 Q312 130 401 216', t.woodDark, 18),
  vase: (t: Tones) =>
    line('M318 220 Q300 140 250 104 M322 220 Q330 130 326 84 M324 220 Q350 150 402 118', t.leafDark, 7) +
    repeated(6, (i) => ellipse(250 + (i % 2) * 26 - (i > 3 ? 10 : 0), 104 + i * 14, 14, 9, t.leaf)) +
    repeated(5, (i) => ellipse(326 + (i % 2 === 0 ? 14 : -14), 88 + i * 22, 13, 9, t.leaf)) +
    repeated(5, (i) => ellipse(402 - i * 12, 116 + i * 14 + (i % 2) * 14, 14, 9, t.leaf)) +
    path(
      'M278 212 L362 212 Q356 250 380 290 Q440 350 424 440 Q412 508 370 520 L270 520 Q228 508 216 440 Q200 350 260 290 Q284 250 278 212Z',
      t.base,
    ) +
    path(
      'M340 212 L362 212 Q356 250 380 290 Q440 350 424 440 Q412 508 370 520 L330 520 Q390 470 380 390 Q374 320 344 280 Q336 250 340 212Z',
      t.dark,
    ) +
    path('M252 340 Q226 380 238 440 L252 452 Q242 390 266 346Z', t.light) +
    ellipse(320, 212, 44, 11, t.deep),
  candle: (t: Tones) =>
    path('M320 120 Q362 180 342 214 Q320 232 298 214 Q278 180 320 120Z', '#f6b23c') +
    path('M320 164 Q338 194 330 212 Q320 220 310 212 Q302 194 320 164Z', '#fdf0b8') +
    line('M320 212 L320 262', t.ink, 6) +
    rect(200, 256, 240, 264, 26, t.base) +
    ellipse(320, 262, 118, 22, t.light) +
    path('M376 270 L440 262 L440 494 Q440 520 414 520 L376 520Z', t.dark) +
    rect(240, 344, 160, 110, 10, t.paper) +
    line('M266 378 L374 378', t.base, 8) +
    line('M284 402 L356 402 M296 424 L344 424', t.metal, 6),
  chair: (t: Tones) =>
    line('M228 350 L196 524 M412 350 L444 524 M258 372 L244 508 M382 372 L396 508', t.wood, 16) +
    mirrored(line('M222 120 L232 340', t.woodDark, 16)) +
    path('M200 124 Q320 92 440 124 L432 236 Q320 212 208 236Z', t.base) +
    path('M200 124 Q320 92 440 124 L439 144 Q320 112 201 144Z', t.light) +
    path('M190 340 Q320 316 450 340 Q464 384 436 386 L204 386 Q176 384 190 340Z', t.base) +
    path('M182 366 Q320 384 458 366 Q458 386 436 388 L204 388 Q182 386 182 366Z', t.dark),
  stool: (t: Tones) =>
    line('M230 236 L184 522 M410 236 L456 522', t.wood, 20) +
    line('M282 240 L266 500 M358 240 L374 500', t.woodDark, 16) +
    line('M206 396 L434 396', t.wood, 12) +
    rect(160, 184, 320, 62, 30, t.base) +
    rect(160, 220, 320, 26, 13, t.dark) +
    ellipse(320, 196, 138, 10, t.light),
  'wall-clock': (t: Tones) =>
    circle(320, 320, 196, t.base) +
    circle(320, 320, 164, t.paper) +
    repeated(12, (i) => turned(i * 30, 320, 320, rect(316, 172, 8, i % 3 === 0 ? 30 : 16, 4, t.ink))) +
    line('M320 320 L320 212', t.ink, 12) +
    line('M320 320 L404 362', t.ink, 10) +
    line('M320 352 L320 196', t.base, 4) +
    circle(320, 320, 13, t.base),
  mirror: (t: Tones) =>
    path('M180 300 Q180 110 320 110 Q460 110 460 300 L460 490 Q460 520 430 520 L210 520 Q180 520 180 490Z', t.base) +
    path('M204 302 Q204 134 320 134 Q436 134 436 302 L436 480 Q436 496 420 496 L220 496 Q204 496 204 480Z', '#dcebf0') +
    within(
      'glass',
      'M204 302 Q204 134 320 134 Q436 134 436 302 L436 480 Q436 496 420 496 L220 496 Q204 496 204 480Z',
      faded(0.7, line('M180 430 L420 150', '#ffffff', 44) + line('M250 480 L450 248', '#ffffff', 18)),
    ),
  planter: (t: Tones) =>
    leafStem(t, -62, t.leafDark) +
    leafStem(t, 62, t.leafDark) +
    leafStem(t, -32, t.leaf) +
    leafStem(t, 32, t.leaf) +
    leafStem(t, 0, t.leaf) +
    path('M204 350 L436 350 L410 504 Q406 522 388 522 L252 522 Q234 522 230 504Z', t.base) +
    path('M380 350 L436 350 L410 504 Q406 522 388 522 L352 522Z', t.dark) +
    rect(190, 330, 260, 48, 14, t.light),
  rug: (t: Tones) =>
    path('M170 200 L470 200 L548 470 L92 470Z', t.base) +
    path('M196 222 L444 222 L510 448 L130 448Z', t.light) +
    path('M214 240 L426 240 L482 430 L158 430Z', t.dark) +
    path('M320 256 L410 334 L320 416 L230 334Z', t.paper) +
    path('M320 290 L368 334 L320 380 L272 334Z', t.base) +
    repeated(16, (i) => line(`M${96 + i * 30} 472 l-5 28`, t.paper, 6)) +
    repeated(11, (i) => line(`M${174 + i * 29} 198 l2 -20`, t.paper, 5)),
  'picture-frame': (t: Tones) =>
    rect(168, 116, 304, 400, 10, t.base) +
    rect(168, 490, 304, 26, 10, t.dark) +
    rect(196, 144, 248, 344, 4, t.paper) +
    rect(226, 176, 188, 280, 2, '#f3d9b8') +
    circle(350, 250, 36, '#e8895a') +
    path('M226 456 L226 372 L290 300 L352 378 L382 346 L414 384 L414 456Z', '#5b8a94') +
    path('M226 456 L226 420 Q310 380 414 424 L414 456Z', '#3f6b5c'),
  basket: (t: Tones) =>
    mirrored(line('M178 300 Q110 296 118 360 Q124 396 176 386', t.dark, 18)) +
    path('M160 280 L480 280 L446 500 Q442 522 420 522 L220 522 Q198 522 194 500Z', t.base) +
    within(
      'weave',
      'M160 280 L480 280 L446 500 Q442 522 420 522 L220 522 Q198 522 194 500Z',
      repeated(4, (row) => repeated(10, (i) => rect(154 + i * 34 + (row % 2) * 17, 322 + row * 48, 22, 26, 8, t.dark))),
    ) +
    path('M170 286 Q200 210 290 222 Q340 190 400 222 Q462 230 470 286Z', t.paper) +
    rect(150, 268, 340, 40, 18, t.light),
};

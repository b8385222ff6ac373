import { circle, line, mirrored, path, rect, repeated, seam, turned, within } from './shapes.js';
import type { Tones } from './tones.js';

const neck = 'M258 158 Q320 170 382 158 Q360 206 320 206 Q280 206 258 158Z';
const shortHalf =
  'M321 206 Q280 206 258 158 L190 182 Q168 190 158 210 L110 304 L178 336 L206 292 L203 486 Q262 498 321 498Z';
const longHalf =
  'M321 206 Q280 206 258 158 L192 180 Q160 192 150 230 L100 458 L164 474 L206 312 L203 486 Q262 498 321 498Z';

function shortTop(t: Tones): string {
  const half =
    path(shortHalf, t.base) +
    path('M110 304 L178 336 L186 322 L118 288Z', t.dark) +
    line('M206 292 Q212 318 216 344', t.dark, 5);
  return mirrored(half) + path(neck, t.deep) + line('M258 158 Q280 206 320 206 Q360 206 382 158', t.dark, 10);
}

function longTop(t: Tones): string {
  const half =
    path(longHalf, t.base) +
    path('M97 474 L160 490 L167 460 L103 444Z', t.dark) +
    line('M206 312 Q206 276 214 250', t.dark, 5);
  return mirrored(half) + path(neck, t.deep) + line('M258 158 Q280 206 320 206 Q360 206 382 158', t.dark, 12);
}

function hemBand(t: Tones): string {
  return (
    path('M203 462 Q262 474 320 474 Q378 474 437 462 L437 488 Q378 500 320 500 Q262 500 203 488Z', t.dark) +
    repeated(11, (i) => line(`M${225 + i * 19} 474 L${225 + i * 19} 490`, t.base, 4))
  );
}

function buttons(t: Tones, color: string): string {
  return line('M320 214 L320 494', t.dark, 4) + repeated(5, (i) => circle(320, 246 + i * 54, 7, color));
}

function collarWings(t: Tones): string {
  return mirrored(
    path('M320 218 L258 146 L232 184 L278 246Z', t.light) + line('M320 218 L278 246 L232 184', t.dark, 4),
  );
}

function stripes(t: Tones): string {
  const sleeves = turned(
    28,
    150,
    250,
    repeated(3, (i) => rect(90, 226 + i * 34, 110, 12, 0, t.paper)),
  );
  return (
    repeated(8, (i) =>
      within(`stripe${i}`, `M203 ${236 + i * 32} h234 v13 h-234Z`, rect(203, 200, 234, 290, 0, t.paper)),
    ) +
    within('sleeve', shortHalf, sleeves) +
    `<g transform="translate(640 0) scale(-1 1)">${within('sleeve2', shortHalf, sleeves)}</g>`
  );
}

function cables(t: Tones): string {
  return repeated(3, (column) => {
    const x = 262 + column * 58;
    return repeated(5, (i) =>
      line(`M${x - 12} ${246 + i * 42} q24 21 0 42 M${x + 12} ${246 + i * 42} q-24 21 0 42`, t.light, 6),
    );
  });
}

function legs(t: Tones, bottom: number, cuff: number): string {
  const inner = 320 - (bottom - 250) * 0.18;
  const outer = 222 - (bottom - 150) * 0.11;
  return (
    mirrored(
      path(`M321 138 L224 138 L${outer} ${bottom} L${inner} ${bottom} L321 262Z`, t.base) +
        path(
          `M${outer} ${bottom} L${inner} ${bottom} L${inner + 4} ${bottom - cuff} L${outer + 4} ${bottom - cuff}Z`,
          t.dark,
        ) +
        line('M222 188 Q258 190 264 158', t.dark, 5),
    ) +
    rect(222, 130, 196, 28, 6, t.dark) +
    circle(320, 144, 7, t.metal) +
    line('M320 162 L320 258', t.dark, 5) +
    seam('M334 164 L334 216 Q334 234 322 240', t.light)
  );
}

export const clothingDrawings = {
  't-shirt': (t: Tones) => shortTop(t),
  'striped-top': (t: Tones) => shortTop(t) + stripes(t),
  'polo-shirt': (t: Tones) =>
    shortTop(t) +
    collarWings(t) +
    rect(308, 214, 24, 96, 6, t.light) +
    circle(320, 246, 6, t.deep) +
    circle(320, 282, 6, t.deep),
  shirt: (t: Tones) => longTop(t) + buttons(t, t.deep) + collarWings(t) + rect(348, 276, 62, 68, 8, t.dark),
  sweater: (t: Tones) => longTop(t) + hemBand(t) + cables(t),
  cardigan: (t: Tones) =>
    longTop(t) +
    path('M258 158 Q320 172 382 158 L328 352 L312 352Z', t.deep) +
    line('M262 166 L320 352 L378 166 M320 352 L320 488', t.light, 16) +
    repeated(4, (i) => circle(320, 368 + i * 34, 7, t.deep)) +
    mirrored(rect(224, 394, 68, 66, 8, t.dark)),
  hoodie: (t: Tones) =>
    longTop(t) +
    hemBand(t) +
    path('M236 178 Q222 88 320 84 Q418 88 404 178 Q380 228 320 230 Q260 228 236 178Z', t.dark) +
    path('M262 172 Q254 116 320 114 Q386 116 378 172 Q360 206 320 208 Q280 206 262 172Z', t.deep) +
    mirrored(line('M298 214 Q294 254 298 286', t.paper, 7)) +
    path('M256 380 L384 380 L420 452 L220 452Z', t.dark),
  jacket: (t: Tones) =>
    longTop(t) +
    path('M244 164 L266 130 Q320 146 374 130 L396 164 Q364 214 320 214 Q276 214 244 164Z', t.deep) +
    line('M320 214 L320 494', t.metal, 9) +
    mirrored(rect(222, 256, 74, 66, 8, t.dark) + rect(218, 250, 82, 24, 6, t.deep)) +
    mirrored(rect(218, 374, 80, 84, 8, t.dark) + rect(214, 368, 88, 26, 6, t.deep)),
  'puffer-jacket': (t: Tones) =>
    longTop(t) +
    repeated(5, (i) =>
      line(
        `M210 ${262 + i * 48} Q262 ${280 + i * 48} 320 ${274 + i * 48} Q378 ${280 + i * 48} 430 ${262 + i * 48}`,
        t.dark,
        7,
      ),
    ) +
    mirrored(
      within(
        'sleeve',
        longHalf,
        repeated(5, (i) => line(`M${140 - i * 10} ${246 + i * 42} l${58 - i * 2} 12`, t.dark, 7)),
      ),
    ) +
    path('M244 168 Q244 126 270 126 L370 126 Q396 126 396 168 Q368 216 320 216 Q272 216 244 168Z', t.dark) +
    line('M256 152 Q320 170 384 152', t.base, 7) +
    line('M320 176 L320 494', t.deep, 9),
  jeans: (t: Tones) => legs(t, 520, 20),
  shorts: (t: Tones) => legs(t, 400, 14) + line('M308 158 q-6 24 4 44 M332 158 q8 24 0 48', t.paper, 6),
  dress: (t: Tones) =>
    mirrored(path('M321 238 L276 120 L240 128 Q230 214 256 268 Q264 290 258 312 L168 506 Q240 532 321 532Z', t.base)) +
    path('M276 120 Q320 140 364 120 L320 238Z', t.deep) +
    line('M276 120 L340 290 M364 120 L320 238', t.dark, 8) +
    path('M256 286 Q320 302 384 286 L386 318 Q320 334 254 318Z', t.dark) +
    line('M336 322 Q372 420 366 526', t.dark, 6) +
    line('M352 320 Q388 344 392 384 M352 320 Q372 362 366 400', t.dark, 9) +
    mirrored(line('M250 340 Q226 430 204 512', t.dark, 4)),
  beanie: (t: Tones) =>
    path('M170 410 Q160 176 320 172 Q480 176 470 410Z', t.base) +
    repeated(5, (i) => line(`M${230 + i * 45} 380 Q${240 + i * 40} 260 ${306 + i * 7} 186`, t.dark, 6)) +
    rect(146, 376, 348, 96, 30, t.light) +
    repeated(9, (i) => line(`M${178 + i * 35.5} 392 L${178 + i * 35.5} 456`, t.base, 8)) +
    circle(320, 158, 52, t.light) +
    repeated(8, (i) => turned(i * 45, 320, 158, line('M320 136 L320 116', t.base, 7))),
  cap: (t: Tones) =>
    path('M146 390 Q140 206 300 200 Q446 204 452 384Z', t.base) +
    path('M300 200 Q446 204 452 384 L352 388 Q350 262 300 200Z', t.dark) +
    path(
      'M146 390 Q300 352 452 384 Q540 396 566 438 Q572 456 548 452 Q440 420 300 424 Q200 424 158 420 Q144 412 146 390Z',
      t.deep,
    ) +
    line('M300 204 Q216 262 214 384', t.dark, 5) +
    circle(300, 198, 14, t.deep) +
    circle(250, 262, 6, t.deep),
  socks: (t: Tones) => sock(t, 206, 128) + sock({ ...t, base: t.light }, 300, 158),
  scarf: (t: Tones) =>
    path('M272 250 L236 500 L310 508 L334 260Z', t.base) +
    path('M330 250 L372 486 L442 470 L398 246Z', t.dark) +
    repeated(5, (i) => line(`M${242 + i * 15.5} 500 L${240 + i * 15.5} 532`, t.base, 7)) +
    repeated(5, (i) => line(`M${378 + i * 14.5} ${486 - i * 3.2} L${382 + i * 14.5} ${516 - i * 3.2}`, t.dark, 7)) +
    path('M180 196 Q320 88 460 196 Q480 262 424 288 Q320 330 216 288 Q160 262 180 196Z', t.base) +
    path('M220 198 Q320 128 420 198 Q424 226 392 236 Q320 256 248 236 Q216 226 220 198Z', t.deep) +
    line('M190 240 Q320 330 450 240 M206 270 Q320 338 434 270', t.dark, 6) +
    line('M246 434 L318 442 M242 464 L314 472 M366 432 L430 418', t.light, 9),
};

function sock(t: Tones, x: number, y: number): string {
  return (
    path(`M${x} ${y} h104 v196 q0 24 20 38 l58 44 q40 34 10 70 q-28 30 -70 8 l-96 -70 q-26 -20 -26 -56Z`, t.base) +
    path(`M${x} ${y} h104 v46 h-104Z`, t.dark) +
    repeated(6, (i) => line(`M${x + 12 + i * 16} ${y + 10} v28`, t.base, 5)) +
    path(`M${x + 182} ${y + 278} q40 34 10 70 q-18 20 -44 16 q-4 -50 34 -86Z`, t.dark) +
    path(`M${x} ${y + 222} q44 -4 66 34 q-4 40 -40 66 q-26 -20 -26 -56Z`, t.dark)
  );
}

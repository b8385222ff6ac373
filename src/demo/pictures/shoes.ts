import { line, path, rect, repeated, seam } from './shapes.js';
import type { Tones } from './tones.js';

const lowUpper =
  'M116 436 L124 288 Q128 262 154 270 Q186 296 222 282 Q246 272 262 252 L356 338 Q396 366 462 376 Q520 386 526 436Z';

function laces(color: string): string {
  return repeated(4, (i) => line(`M${252 + i * 27} ${296 + i * 23} l34 -26`, color, 9));
}

export const shoeDrawings = {
  sneaker: (t: Tones) =>
    path(lowUpper, t.base) +
    path('M124 288 Q128 262 154 270 Q160 276 168 280 L176 436 L116 436Z', t.dark) +
    path('M420 366 Q520 378 526 436 L404 436 Q392 398 420 366Z', t.light) +
    path('M262 252 L356 338 L336 362 L236 278 Q252 268 262 252Z', t.dark) +
    laces(t.paper) +
    seam('M198 300 Q232 380 390 396', t.light) +
    rect(106, 428, 430, 50, 22, t.paper) +
    line('M124 452 L520 452', t.metal, 5),
  'running-shoe': (t: Tones) =>
    path(lowUpper, t.base) +
    path('M262 252 L356 338 L336 362 L236 278 Q252 268 262 252Z', t.deep) +
    laces(t.paper) +
    path('M180 436 Q220 330 316 350 Q256 370 250 436Z', t.light) +
    path('M270 436 Q300 372 366 374 Q326 394 322 436Z', t.light) +
    path(
      'M96 408 Q112 426 150 424 L480 416 Q530 418 546 440 Q548 474 506 484 Q420 494 352 480 Q300 468 250 484 Q170 502 112 478 Q92 452 96 408Z',
      t.paper,
    ) +
    path(
      'M112 478 Q170 502 250 484 Q300 468 352 480 Q420 494 506 484 Q500 502 470 502 L360 500 Q300 486 250 502 L150 508 Q118 504 112 478Z',
      t.deep,
    ),
  'leather-boot': (t: Tones) =>
    path('M156 436 L166 152 Q236 136 314 152 L322 300 Q352 352 450 366 Q524 378 528 436Z', t.base) +
    path('M166 152 Q236 136 314 152 L315 180 Q236 162 165 180Z', t.dark) +
    path('M432 364 Q524 376 528 436 L410 436 Q402 392 432 364Z', t.dark) +
    path('M262 148 L314 152 L322 300 Q336 330 366 346 L336 368 Q290 330 276 280Z', t.dark) +
    repeated(5, (i) => line(`M${272 + i * 5} ${196 + i * 32} l46 -4`, t.paper, 8)) +
    line('M158 190 q-26 -34 6 -50', t.dark, 10) +
    rect(148, 428, 390, 34, 12, t.ink) +
    rect(148, 446, 96, 36, 8, t.ink) +
    rect(280, 452, 250, 20, 8, t.ink),
  'ankle-boot': (t: Tones) =>
    path('M172 436 L184 206 Q250 190 332 206 L340 312 Q372 354 456 368 Q524 380 528 436Z', t.base) +
    path('M248 204 L296 204 L306 330 Q270 352 256 330Z', t.deep) +
    repeated(5, (i) => line(`M${262 + i * 8} 210 L${266 + i * 8} 326`, t.dark, 3)) +
    line('M190 216 q-28 -34 0 -54 q14 -4 16 40', t.dark, 9) +
    line('M350 340 Q300 400 196 392', t.dark, 5) +
    rect(164, 428, 374, 30, 12, t.ink) +
    path('M168 446 L258 446 L250 490 L176 490Z', t.ink),
  'rain-boot': (t: Tones) =>
    path('M176 440 L186 128 Q252 112 322 128 L334 324 Q360 366 456 372 Q528 380 532 440Z', t.base) +
    path('M186 128 Q252 112 322 128 L324 164 Q252 148 185 164Z', t.light) +
    path('M202 172 L222 170 L216 420 L196 420Z', t.light) +
    path('M448 372 Q528 380 532 440 L424 440 Q420 396 448 372Z', t.dark) +
    rect(166, 432, 376, 46, 16, t.deep) +
    repeated(9, (i) => rect(186 + i * 38, 468, 22, 18, 4, t.deep)),
  loafer: (t: Tones) =>
    path(
      'M112 440 L122 318 Q130 292 160 302 Q230 348 300 308 Q330 296 366 326 Q410 354 470 366 Q524 378 528 440Z',
      t.base,
    ) +
    path('M122 318 Q130 292 160 302 Q230 348 300 308 Q312 304 322 304 Q240 372 126 350Z', t.deep) +
    path('M288 314 Q330 292 366 326 L398 346 Q350 380 300 436 L246 436 Q250 360 288 314Z', t.dark) +
    seam('M366 330 Q310 380 282 434', t.light) +
    path('M268 360 L352 336 L370 352 L262 384Z', t.light) +
    rect(104, 432, 432, 26, 12, t.ink) +
    rect(104, 444, 108, 30, 8, t.ink),
  sandal: (t: Tones) =>
    path('M98 440 Q94 408 140 410 Q260 420 340 404 Q460 380 520 404 Q552 420 540 448Z', t.wood) +
    path('M98 440 L540 446 Q536 482 490 480 L150 478 Q104 474 98 440Z', t.woodDark) +
    path('M320 414 Q350 300 420 308 Q478 326 500 402 L452 404 Q430 356 408 352 Q378 356 372 410Z', t.base) +
    path('M170 416 Q186 260 270 268 Q300 286 330 410 L284 414 Q268 330 254 320 Q228 326 220 416Z', t.base) +
    line('M262 300 Q330 360 410 336', t.dark, 30) +
    rect(232, 282, 42, 36, 8, t.metal) +
    rect(242, 292, 22, 16, 3, t.dark),
};

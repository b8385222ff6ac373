import { circle, line, mirrored, path, rect, repeated, seam } from './shapes.js';
import type { Tones } from './tones.js';

export const bagDrawings = {
  backpack: (t: Tones) =>
    line('M280 150 Q280 104 320 104 Q360 104 360 150', t.deep, 16) +
    mirrored(path('M190 250 Q136 280 142 440 Q144 474 178 470Z', t.deep)) +
    path(
      'M182 500 L182 262 Q184 140 320 136 Q456 140 458 262 L458 500 Q458 526 432 526 L208 526 Q182 526 182 500Z',
      t.base,
    ) +
    path('M182 300 Q184 140 320 136 Q456 140 458 300 Q400 332 320 332 Q240 332 182 300Z', t.dark) +
    rect(304, 300, 32, 58, 8, t.metal) +
    rect(220, 370, 200, 128, 22, t.light) +
    line('M236 398 L404 398', t.deep, 7) +
    rect(386, 394, 12, 32, 6, t.metal),
  rucksack: (t: Tones) =>
    mirrored(path('M196 240 Q148 280 156 440 Q158 466 184 462Z', t.deep)) +
    line('M280 138 Q280 96 320 96 Q360 96 360 138', t.deep, 14) +
    rect(186, 196, 268, 326, 40, t.base) +
    rect(176, 128, 288, 150, 44, t.dark) +
    mirrored(rect(228, 176, 26, 206, 6, t.woodDark) + rect(224, 348, 34, 30, 6, t.metal)) +
    rect(214, 396, 212, 104, 22, t.light) +
    seam('M226 414 L414 414', t.dark) +
    mirrored(rect(144, 380, 44, 118, 18, t.dark)) +
    rect(160, 522, 320, 34, 17, t.wood),
  tote: (t: Tones) =>
    line('M240 268 Q244 116 320 112 Q396 116 400 268', t.dark, 20) +
    path('M170 244 L470 244 L492 506 Q492 524 474 524 L166 524 Q148 524 148 506Z', t.base) +
    line('M258 250 Q262 152 320 150 Q378 152 382 250', t.light, 20) +
    path('M170 244 L470 244 L472 270 L168 270Z', t.dark) +
    mirrored(rect(248, 250, 22, 44, 4, t.light)) +
    circle(320, 398, 60, t.light) +
    line(
      'M320 438 L320 366 M320 404 Q288 398 286 372 Q316 372 320 404 M320 390 Q350 384 352 358 Q322 360 320 390',
      t.dark,
      7,
    ),
  'messenger-bag': (t: Tones) =>
    line('M160 300 Q166 108 320 104 Q474 108 480 300', t.deep, 16) +
    rect(140, 268, 360, 236, 26, t.dark) +
    path(
      'M134 282 Q134 258 160 258 L480 258 Q506 258 506 282 L506 404 Q506 440 470 440 L170 440 Q134 440 134 404Z',
      t.base,
    ) +
    seam('M150 276 L150 404 Q150 424 172 424 L468 424 Q490 424 490 404 L490 276', t.light) +
    mirrored(rect(216, 376, 32, 92, 6, t.woodDark) + rect(210, 424, 44, 34, 6, t.metal)),
  'duffel-bag': (t: Tones) =>
    line('M226 300 Q230 156 320 154 Q410 156 414 300', t.deep, 16) +
    path('M104 420 Q96 268 180 262 L460 262 Q544 268 536 420 Q534 492 480 494 L160 494 Q106 492 104 420Z', t.base) +
    path('M104 420 Q96 268 180 262 Q196 380 180 494 L160 494 Q106 492 104 420Z', t.dark) +
    path('M536 420 Q544 268 460 262 Q444 380 460 494 L480 494 Q534 492 536 420Z', t.dark) +
    line('M186 290 L454 290', t.metal, 8) +
    mirrored(rect(216, 288, 24, 206, 4, t.woodDark)) +
    rect(262, 372, 116, 84, 14, t.light) +
    line('M276 392 L364 392', t.deep, 6),
  suitcase: (t: Tones) =>
    rect(262, 72, 116, 130, 16, t.metalDark) +
    rect(278, 90, 84, 112, 8, t.backdrop) +
    rect(184, 160, 272, 344, 40, t.base) +
    repeated(5, (i) => rect(222 + i * 44, 186, 18, 292, 9, t.dark)) +
    rect(184, 300, 272, 20, 0, t.deep) +
    rect(296, 292, 48, 36, 8, t.metal) +
    mirrored(rect(204, 500, 34, 20, 4, t.metalDark) + circle(221, 526, 16, t.ink)),
  wallet: (t: Tones) =>
    rect(158, 196, 300, 90, 16, t.metal) +
    rect(178, 178, 270, 90, 14, t.paper) +
    rect(178, 198, 270, 24, 0, t.ink) +
    rect(130, 232, 380, 250, 30, t.base) +
    seam('M150 262 L150 452 Q150 464 164 464 L476 464 Q490 464 490 452 L490 262', t.light) +
    path('M510 316 L398 316 Q368 318 368 356 Q368 394 398 396 L510 396Z', t.dark) +
    circle(408, 356, 18, t.metal) +
    line('M150 250 L490 250', t.dark, 6),
  'belt-bag': (t: Tones) =>
    path('M70 300 Q160 250 220 290 L220 336 Q150 310 78 336Z', t.deep) +
    path('M570 300 Q480 250 420 290 L420 336 Q490 310 562 336Z', t.deep) +
    path('M160 300 Q164 250 214 248 L426 248 Q476 250 480 300 Q486 448 420 456 L220 456 Q154 448 160 300Z', t.base) +
    path('M164 278 Q320 326 476 278 Q470 250 426 248 L214 248 Q170 250 164 278Z', t.dark) +
    line('M196 282 Q320 316 444 282', t.metal, 8) +
    rect(436, 280, 14, 44, 6, t.metalDark) +
    rect(236, 352, 168, 74, 18, t.light) +
    rect(90, 284, 46, 54, 10, t.ink),
};

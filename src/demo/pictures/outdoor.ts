import { circle, ellipse, faded, line, mirrored, path, rect, repeated, ring, turned, within } from './shapes.js';
import type { Tones } from './tones.js';

export const outdoorDrawings = {
  tent: (t: Tones) =>
    line('M84 520 L60 536 M556 520 L580 536', t.woodDark, 8) +
    path('M320 150 L564 512 L320 512Z', t.dark) +
    path('M320 150 L76 512 L430 512Z', t.base) +
    path('M320 150 L240 512 L400 512Z', t.deep) +
    path('M320 150 L240 512 Q210 512 206 496 Q280 370 320 150Z', t.light) +
    line('M320 150 L320 126', t.woodDark, 8) +
    path('M320 120 L368 136 L320 152Z', '#e6823c'),
  flask: (t: Tones) =>
    rect(262, 88, 116, 92, 20, t.metalDark) +
    line('M284 88 Q286 54 320 54 Q354 54 356 88', t.metalDark, 14) +
    rect(250, 164, 140, 28, 8, t.metal) +
    path(
      'M250 190 L390 190 Q424 220 424 270 L424 490 Q424 522 392 522 L248 522 Q216 522 216 490 L216 270 Q216 220 250 190Z',
      t.base,
    ) +
    path('M360 190 L390 190 Q424 220 424 270 L424 490 Q424 522 392 522 L362 522 Q384 400 360 190Z', t.dark) +
    rect(236, 264, 16, 214, 8, t.light) +
    path('M272 420 L306 366 L328 394 L342 376 L372 420Z', t.paper),
  'sleeping-bag': (t: Tones) =>
    path('M186 300 Q184 116 320 112 Q456 116 454 300 Q470 430 410 524 L230 524 Q170 430 186 300Z', t.base) +
    path('M224 262 Q222 148 320 146 Q418 148 416 262 Q370 300 320 300 Q270 300 224 262Z', t.deep) +
    ellipse(320, 246, 78, 38, t.paper) +
    within(
      'bag',
      'M186 300 Q184 116 320 112 Q456 116 454 300 Q470 430 410 524 L230 524 Q170 430 186 300Z',
      repeated(4, (i) => line(`M160 ${330 + i * 50} Q320 ${378 + i * 50} 480 ${330 + i * 50}`, t.dark, 8)),
    ) +
    line('M402 272 Q440 390 402 518', t.metal, 8) +
    rect(390, 286, 14, 32, 6, t.metalDark),
  lantern: (t: Tones) =>
    `<path d="M216 230 Q216 92 320 90 Q424 92 424 230" fill="none" stroke="${t.metalDark}" stroke-width="12"/>` +
    faded(0.55, circle(320, 330, 150, '#ffedb0')) +
    path('M246 190 L394 190 L420 236 L220 236Z', t.base) +
    rect(286, 160, 68, 36, 10, t.dark) +
    rect(240, 236, 160, 184, 16, '#fff6d8') +
    path('M320 276 Q360 334 340 368 Q320 386 300 368 Q280 334 320 276Z', '#f6b23c') +
    mirrored(rect(236, 232, 14, 192, 4, t.dark)) +
    rect(214, 414, 212, 32, 8, t.dark) +
    path('M226 446 L414 446 L436 520 L204 520Z', t.base),
  hammock: (t: Tones) =>
    mirrored(
      line('M180 522 L92 190 M92 522 L180 470', t.woodDark, 20) +
        line('M98 206 L160 290', t.wood, 9) +
        circle(92, 190, 18, t.wood),
    ) +
    path('M152 282 Q320 330 488 282 Q470 462 320 468 Q170 462 152 282Z', t.base) +
    path('M152 282 Q320 330 488 282 Q320 400 152 282Z', t.light) +
    line('M176 350 Q320 438 464 350 M200 400 Q320 462 440 400', t.dark, 10),
  umbrella: (t: Tones) =>
    line('M320 120 L320 480 Q320 522 284 522 Q250 522 250 488', t.wood, 14) +
    path(
      'M92 320 Q110 130 320 126 Q530 130 548 320 Q510 284 472 320 Q434 284 396 320 Q358 284 320 320 Q282 284 244 320 Q206 284 168 320 Q130 284 92 320Z',
      t.base,
    ) +
    path('M320 126 Q244 180 244 320 Q206 284 168 320 Q180 170 320 126Z', t.dark) +
    path('M320 126 Q396 180 396 320 Q434 284 472 320 Q460 170 320 126Z', t.dark) +
    line('M320 126 L320 98', t.wood, 10),
  helmet: (t: Tones) =>
    line('M200 400 Q224 470 290 510 M430 400 Q400 470 290 510', t.ink, 11) +
    path('M112 390 Q110 176 320 168 Q524 176 530 366 Q500 410 430 404 L170 414 Q120 414 112 390Z', t.base) +
    path('M112 390 Q300 350 530 366 Q500 410 430 404 L170 414 Q120 414 112 390Z', t.deep) +
    path('M176 300 Q196 232 262 206 Q240 260 236 324 Q200 330 172 336Z', t.deep) +
    path('M284 200 Q330 190 370 200 Q380 260 376 316 Q330 316 282 320 Q272 250 284 200Z', t.deep) +
    path('M402 212 Q456 236 474 310 L424 314 Q424 260 402 212Z', t.deep) +
    rect(272, 496, 36, 26, 8, t.metalDark),
  'camp-chair': (t: Tones) =>
    line('M196 522 L430 352 M444 522 L210 352', t.metalDark, 13) +
    line('M210 120 L210 400 M430 120 L430 400', t.metalDark, 13) +
    path('M200 130 Q320 152 440 130 L440 300 Q320 330 200 300Z', t.base) +
    path('M190 340 Q320 392 450 340 L462 404 Q320 456 178 404Z', t.dark) +
    mirrored(rect(150, 268, 90, 24, 12, t.deep) + line('M164 290 L176 400', t.metalDark, 11)) +
    rect(262, 176, 116, 70, 10, t.light),
  'yoga-mat': (t: Tones) =>
    path('M210 420 L520 420 Q556 470 540 506 L180 506Z', t.light) +
    path('M180 506 L540 506 L540 518 L180 518Z', t.dark) +
    rect(190, 250, 300, 232, 0, t.base) +
    ellipse(490, 366, 60, 116, t.base) +
    ellipse(190, 366, 60, 116, t.dark) +
    ellipse(190, 366, 46, 92, t.base) +
    ellipse(190, 366, 33, 68, t.dark) +
    ellipse(190, 366, 20, 42, t.base) +
    ellipse(190, 366, 8, 18, t.deep) +
    rect(282, 249, 26, 234, 6, t.paper) +
    rect(400, 249, 26, 234, 6, t.paper) +
    line('M295 250 Q350 150 413 250', t.paper, 16),
  compass: (t: Tones) =>
    ring(320, 118, 36, t.metalDark, 14) +
    rect(296, 142, 48, 40, 8, t.dark) +
    circle(320, 342, 184, t.base) +
    circle(320, 342, 150, t.dark) +
    circle(320, 342, 140, t.paper) +
    repeated(12, (i) => turned(i * 30, 320, 342, rect(317, 212, 6, i % 3 === 0 ? 26 : 14, 3, t.ink))) +
    turned(32, 320, 342, path('M320 236 L344 342 L296 342Z', '#c94443') + path('M320 448 L344 342 L296 342Z', t.ink)) +
    circle(320, 342, 14, t.metal),
  'dry-bag': (t: Tones) =>
    path('M206 220 L434 220 L444 490 Q444 522 412 522 L228 522 Q196 522 196 490Z', t.base) +
    path('M366 220 L434 220 L444 490 Q444 522 412 522 L372 522Z', t.dark) +
    rect(188, 168, 264, 56, 22, t.dark) +
    line('M200 196 L440 196', t.deep, 5) +
    `<path d="M212 182 Q220 96 320 94 Q420 96 428 182" fill="none" stroke="${t.ink}" stroke-width="18"/>` +
    rect(288, 76, 64, 38, 10, t.ink) +
    path('M320 300 Q372 366 356 402 Q344 432 320 432 Q296 432 284 402 Q268 366 320 300Z', t.paper),
  cooler: (t: Tones) =>
    `<path d="M176 232 Q176 110 230 110 L410 110 Q464 110 464 232" fill="none" stroke="${t.metalDark}" stroke-width="18"/>` +
    rect(128, 262, 384, 252, 26, t.base) +
    rect(430, 262, 82, 252, 26, t.dark) +
    rect(112, 200, 416, 76, 24, t.paper) +
    rect(112, 250, 416, 26, 12, t.metal) +
    rect(290, 244, 60, 62, 10, t.ink) +
    turned(0, 320, 400, line('M320 336 L320 464 M265 368 L375 432 M375 368 L265 432', t.paper, 11)),
};

import { circle, ellipse, faded, line, mirrored, path, rect, repeated, ring, seam, turned } from './shapes.js';
import type { Tones } from './tones.js';

function tumbler(t: Tones, x: number, y: number): string {
  return (
    faded(0.85, path(`M${x} ${y} h130 l-14 220 q-2 16 -18 16 h-66 q-16 0 -18 -16Z`, t.base)) +
    path(`M${x + 7} ${y + 110} h116 l-7 110 q-2 16 -18 16 h-66 q-16 0 -18 -16Z`, t.dark) +
    path(`M${x + 22} ${y + 20} h16 l6 180 h-12Z`, '#ffffff') +
    ellipse(x + 65, y, 65, 12, t.light)
  );
}

export const kitchenDrawings = {
  mug: (t: Tones) =>
    `<path d="M420 262 Q524 250 516 346 Q508 430 412 420" fill="none" stroke="${t.dark}" stroke-width="30"/>` +
    path('M158 212 L440 212 L426 470 Q422 514 378 514 L220 514 Q176 514 172 470Z', t.base) +
    path('M376 212 L440 212 L426 470 Q422 514 378 514 L340 514 Q372 480 376 420Z', t.dark) +
    ellipse(299, 212, 141, 28, t.light) +
    ellipse(299, 216, 120, 20, '#6b4631') +
    faded(0.6, line('M250 164 q-20 -26 0 -52 t0 -48 M326 164 q-20 -26 0 -52 t0 -48', '#ffffff', 10)),
  'enamel-mug': (t: Tones) =>
    `<path d="M430 272 Q520 262 514 346 Q508 420 424 412" fill="none" stroke="${t.ink}" stroke-width="18"/>` +
    path('M158 222 L442 222 L430 488 Q428 508 408 508 L192 508 Q172 508 170 488Z', t.base) +
    path('M380 222 L442 222 L430 488 Q428 508 408 508 L360 508Z', t.dark) +
    ellipse(300, 222, 142, 26, t.ink) +
    ellipse(300, 224, 130, 19, t.paper) +
    path('M210 430 L270 340 L306 388 L334 356 L386 430Z', t.paper) +
    circle(352, 318, 20, t.paper) +
    repeated(6, (i) =>
      circle([196, 404, 226, 378, 300, 196][i] ?? 0, [290, 456, 470, 280, 474, 392][i] ?? 0, 4, t.light),
    ),
  teapot: (t: Tones) =>
    `<path d="M444 300 Q560 262 548 366 Q536 436 436 438" fill="none" stroke="${t.dark}" stroke-width="26"/>` +
    path('M206 360 Q140 352 116 270 L82 256 L90 238 L150 238 Q160 300 214 314Z', t.base) +
    ellipse(320, 380, 156, 132, t.base) +
    path('M404 268 Q476 310 476 380 Q470 506 330 512 Q430 470 434 380 Q434 310 404 268Z', t.dark) +
    path('M226 280 Q320 210 414 280 Q320 304 226 280Z', t.light) +
    circle(320, 228, 24, t.dark) +
    rect(244, 500, 152, 24, 10, t.dark),
  bowl: (t: Tones) =>
    path('M116 270 L524 270 Q520 480 384 502 L256 502 Q120 480 116 270Z', t.base) +
    path('M440 270 L524 270 Q520 480 384 502 L340 502 Q436 440 440 270Z', t.dark) +
    rect(244, 494, 152, 28, 8, t.dark) +
    ellipse(320, 270, 204, 44, t.light) +
    ellipse(320, 274, 178, 33, t.deep) +
    line('M140 350 Q300 392 436 356', t.light, 12),
  plate: (t: Tones) =>
    circle(330, 320, 186, t.base) +
    circle(330, 320, 186, t.base) +
    ring(330, 320, 172, t.dark, 7) +
    circle(330, 320, 124, t.light) +
    ring(330, 320, 124, t.dark, 4) +
    rect(92, 236, 14, 276, 7, t.metalDark) +
    path('M76 130 h8 v70 h11 v-70 h8 v70 h11 v-70 h8 v90 q0 30 -23 34 q-23 -4 -23 -34Z', t.metalDark) +
    rect(560, 320, 14, 192, 7, t.metalDark) +
    path('M556 130 Q596 190 580 326 L556 330Z', t.metalDark),
  'frying-pan': (t: Tones) =>
    turned(
      -38,
      320,
      330,
      rect(400, 312, 232, 36, 18, t.wood) +
        rect(400, 312, 60, 36, 6, t.metalDark) +
        circle(600, 330, 8, t.backdrop) +
        circle(258, 330, 172, t.base) +
        circle(258, 330, 150, t.dark) +
        circle(258, 330, 130, t.deep),
    ) +
    path('M214 330 q40 -50 90 -26 q56 10 40 62 q-10 56 -66 44 q-76 4 -64 -80Z', t.paper) +
    circle(276, 356, 30, '#f2b635') +
    circle(268, 348, 8, '#fbe0a0'),
  casserole: (t: Tones) =>
    mirrored(rect(84, 306, 90, 40, 18, t.dark)) +
    path('M134 276 L506 276 L498 450 Q492 512 430 512 L210 512 Q148 512 142 450Z', t.base) +
    path('M430 276 L506 276 L498 450 Q492 512 430 512 L380 512 Q428 470 430 400Z', t.dark) +
    path('M130 262 Q140 184 320 178 Q500 184 510 262Z', t.light) +
    rect(120, 256, 400, 30, 14, t.dark) +
    rect(290, 136, 60, 40, 14, t.metal) +
    rect(306, 164, 28, 20, 4, t.metalDark),
  knife: (t: Tones) =>
    turned(
      -40,
      320,
      320,
      path('M60 300 L400 288 L400 372 L300 376 Q140 376 60 300Z', t.metal) +
        path('M60 300 L400 350 L400 372 L300 376 Q140 376 60 300Z', '#e3e8ec') +
        rect(396, 282, 26, 94, 4, t.metalDark) +
        path('M420 286 L570 282 Q598 284 598 310 Q598 340 572 342 L420 346Z', t.base) +
        repeated(3, (i) => circle(456 + i * 46, 314, 9, t.metal)),
    ),
  'cutting-board': (t: Tones) =>
    turned(
      -14,
      320,
      320,
      rect(190, 190, 260, 330, 34, t.base) +
        rect(286, 90, 68, 130, 30, t.base) +
        circle(320, 128, 16, t.backdrop) +
        line(
          'M226 240 Q232 360 224 480 M284 226 Q296 360 286 490 M350 226 Q342 340 352 490 M410 240 Q402 360 412 480',
          t.dark,
          5,
        ) +
        rect(190, 496, 260, 24, 12, t.dark),
    ) +
    path('M392 452 q70 -30 92 26 q2 50 -54 50 q-60 -14 -38 -76Z', '#d8503f') +
    line('M436 446 q6 -20 26 -24', '#4d8d5a', 9),
  apron: (t: Tones) =>
    line('M268 170 Q272 84 320 84 Q368 84 372 170', t.dark, 12) +
    mirrored(line('M196 320 Q130 330 108 392', t.dark, 11)) +
    mirrored(path('M321 160 L256 160 Q256 250 186 300 L180 500 Q180 522 204 522 L321 522Z', t.base)) +
    path('M256 160 L384 160 L384 186 L256 186Z', t.dark) +
    rect(244, 346, 152, 104, 16, t.dark) +
    line('M320 350 L320 444', t.base, 5) +
    seam('M252 364 L388 364', t.light),
  tumblers: (t: Tones) => tumbler(t, 122, 236) + tumbler(t, 388, 236) + tumbler(t, 255, 276),
  'french-press': (t: Tones) =>
    `<path d="M404 280 L470 280 Q490 280 490 304 L490 430 Q490 452 470 452 L404 452" fill="none" stroke="${t.dark}" stroke-width="24" stroke-linejoin="round"/>` +
    rect(220, 220, 196, 300, 12, '#d9e8ec') +
    rect(220, 330, 196, 184, 8, '#5c3b29') +
    rect(220, 318, 196, 22, 6, '#8a5f43') +
    rect(240, 236, 16, 260, 8, '#ffffff') +
    rect(208, 220, 220, 30, 8, t.base) +
    rect(208, 440, 220, 22, 6, t.base) +
    mirrored(rect(214, 500, 20, 30, 6, t.base)) +
    path('M226 216 Q230 168 318 166 Q406 168 410 216Z', t.base) +
    rect(312, 110, 14, 64, 4, t.metalDark) +
    circle(319, 102, 22, t.dark),
  'storage-jar': (t: Tones) =>
    rect(196, 218, 248, 304, 40, '#dcebee') +
    path('M204 320 Q320 296 436 320 L436 484 Q436 514 404 514 L236 514 Q204 514 204 484Z', '#dba45c') +
    repeated(18, (i) => ellipse(226 + (i % 6) * 38, 350 + Math.floor(i / 6) * 52, 12, 8, '#c2863d')) +
    rect(218, 244, 16, 240, 8, '#ffffff') +
    rect(204, 136, 232, 76, 18, t.base) +
    rect(204, 184, 232, 28, 10, t.dark) +
    rect(212, 206, 216, 20, 4, '#e77f5a') +
    rect(262, 372, 116, 76, 8, t.paper) +
    line('M282 398 L358 398 M294 422 L346 422', t.ink, 6),
  'tea-towel': (t: Tones) =>
    rect(120, 132, 400, 20, 10, t.wood) +
    path('M186 138 L454 138 L462 520 L178 520Z', t.paper) +
    path('M384 138 L454 138 L462 520 L398 520Z', '#e7e2d6') +
    path('M181 420 L459.6 420 L460.6 452 L180 452Z', t.base) +
    path('M179.6 470 L461 470 L461.3 484 L179.3 484Z', t.dark) +
    path('M184.6 200 L455 200 L455.8 232 L184 232Z', t.base) +
    rect(236, 138, 22, 382, 0, t.base) +
    faded(0.5, rect(236, 138, 22, 382, 0, t.dark)),
  kettle: (t: Tones) =>
    `<path d="M222 250 Q226 116 320 114 Q414 116 418 250" fill="none" stroke="${t.woodDark}" stroke-width="24"/>` +
    path('M184 380 Q130 366 96 270 L128 258 Q166 316 214 322Z', t.dark) +
    path('M176 480 Q176 266 320 258 Q464 266 464 480 Q464 516 430 516 L210 516 Q176 516 176 480Z', t.base) +
    path('M376 270 Q464 300 464 480 Q464 516 430 516 L390 516 Q420 400 376 270Z', t.dark) +
    path('M222 284 Q320 210 418 284 Q320 306 222 284Z', t.light) +
    circle(320, 238, 18, t.woodDark) +
    rect(176, 500, 288, 22, 10, t.deep),
};

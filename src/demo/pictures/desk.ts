import { circle, ellipse, line, mirrored, path, rect, repeated, ring, seam, turned } from './shapes.js';
import type { Tones } from './tones.js';

export const deskDrawings = {
  notebook: (t: Tones) =>
    turned(
      -8,
      320,
      320,
      rect(190, 130, 284, 388, 16, t.paper) +
        rect(180, 122, 284, 388, 18, t.base) +
        path('M198 122 L222 122 L222 510 L198 510 Q180 510 180 492 L180 140 Q180 122 198 122Z', t.dark) +
        rect(408, 122, 18, 388, 0, t.deep) +
        rect(262, 190, 118, 60, 8, t.paper) +
        line('M280 212 L362 212 M280 230 L340 230', t.metalDark, 5) +
        path('M330 510 h22 v54 l-11 -12 l-11 12Z', t.light),
    ),
  pen: (t: Tones) =>
    turned(
      45,
      320,
      320,
      rect(292, 60, 56, 190, 20, t.base) +
        rect(340, 90, 14, 130, 7, t.metal) +
        rect(290, 240, 60, 20, 4, t.metal) +
        rect(294, 258, 52, 200, 6, t.dark) +
        path('M296 456 L344 456 L330 520 L310 520Z', t.metal) +
        path('M308 518 L332 518 L320 574Z', t.metalDark) +
        rect(304, 80, 12, 150, 6, t.light),
    ) + line('M100 540 q40 -30 70 0 t70 0', t.deep, 6),
  keyboard: (t: Tones) =>
    rect(76, 226, 488, 208, 26, t.dark) +
    rect(76, 218, 488, 200, 26, t.base) +
    repeated(3, (row) =>
      repeated(10, (i) => rect(100 + i * 44.4, 242 + row * 42, 36, 34, 8, (row + i) % 9 === 4 ? '#e6823c' : t.paper)),
    ) +
    rect(100, 368, 80, 34, 8, t.paper) +
    rect(188, 368, 214, 34, 8, t.metal) +
    rect(410, 368, 80, 34, 8, t.paper) +
    rect(499, 368, 36, 34, 8, '#e6823c'),
  headphones: (t: Tones) =>
    `<path d="M164 366 Q150 120 320 118 Q490 120 476 366" fill="none" stroke="${t.base}" stroke-width="34"/>` +
    `<path d="M184 250 Q204 142 320 140 Q436 142 456 250" fill="none" stroke="${t.light}" stroke-width="12"/>` +
    mirrored(
      rect(140, 330, 104, 176, 46, t.base) +
        rect(196, 340, 58, 156, 28, t.ink) +
        rect(126, 362, 60, 112, 28, t.dark) +
        circle(152, 418, 15, t.light),
    ),
  speaker: (t: Tones) =>
    rect(186, 118, 268, 404, 42, t.base) +
    rect(414, 150, 40, 340, 20, t.dark) +
    circle(312, 378, 92, t.deep) +
    ring(312, 378, 68, t.dark, 8) +
    circle(312, 378, 36, t.metalDark) +
    circle(312, 210, 48, t.deep) +
    circle(312, 210, 22, t.metalDark) +
    line('M268 118 Q272 74 320 74 Q368 74 372 118', t.woodDark, 13) +
    circle(400, 494, 7, '#8fd694'),
  'phone-stand': (t: Tones) =>
    path('M214 500 L450 500 Q470 500 468 478 L452 440 L250 440 Q214 460 214 500Z', t.dark) +
    turned(
      8,
      320,
      300,
      rect(352, 220, 40, 240, 10, t.base) +
        rect(220, 92, 176, 344, 28, t.ink) +
        rect(232, 106, 152, 316, 16, '#dfeaf2') +
        circle(308, 220, 40, '#f0b45a') +
        path(
          'M232 406 L232 330 Q290 260 330 320 Q360 290 384 320 L384 406 Q384 422 368 422 L248 422 Q232 422 232 406Z',
          '#6f9f8f',
        ) +
        rect(282, 114, 52, 10, 5, t.ink),
    ) +
    path('M166 434 Q164 414 186 414 L398 440 Q412 442 410 458 L406 488 L176 488Z', t.base) +
    rect(160, 482, 330, 34, 16, t.base) +
    rect(160, 502, 330, 14, 7, t.dark),
  'laptop-sleeve': (t: Tones) =>
    rect(140, 170, 330, 40, 14, t.metal) +
    rect(140, 196, 330, 30, 4, t.metalDark) +
    rect(112, 206, 416, 290, 30, t.base) +
    path('M112 250 Q320 420 528 250 L528 236 Q528 206 498 206 L142 206 Q112 206 112 236Z', t.dark) +
    seam('M118 268 Q320 438 522 268', t.light) +
    circle(320, 326, 20, t.metal) +
    circle(320, 326, 9, t.metalDark) +
    rect(412, 440, 82, 26, 6, t.light),
  'desk-lamp': (t: Tones) =>
    path('M250 262 L440 300 L560 520 L160 520Z', '#fff3c9') +
    line('M250 500 L196 330 L330 196', t.metalDark, 16) +
    circle(196, 330, 18, t.ink) +
    turned(
      28,
      350,
      210,
      path('M306 150 L394 150 L446 262 L254 262Z', t.base) +
        path('M360 150 L394 150 L446 262 L390 262Z', t.dark) +
        rect(322, 120, 56, 40, 12, t.dark) +
        ellipse(350, 262, 96, 16, '#ffe9a3'),
    ) +
    path('M160 520 Q164 474 250 472 Q336 474 340 520Z', t.base) +
    path('M270 473 Q336 476 340 520 L290 520Z', t.dark),
  'power-bank': (t: Tones) =>
    line('M320 160 Q320 80 410 84 Q500 90 494 190 Q490 240 494 270', t.paper, 13) +
    rect(300, 132, 40, 50, 8, t.metal) +
    rect(478, 262, 32, 50, 6, t.metal) +
    rect(212, 170, 216, 350, 40, t.base) +
    path('M376 170 L388 170 Q428 170 428 210 L428 480 Q428 520 388 520 L376 520Z', t.dark) +
    path('M332 280 L274 366 L312 366 L296 430 L362 336 L320 336Z', t.paper) +
    repeated(4, (i) => circle(264 + i * 28, 476, 7, i < 3 ? '#8fd694' : t.dark)),
  earbuds: (t: Tones) =>
    mirrored(
      circle(226, 188, 54, t.base) +
        circle(212, 176, 20, t.light) +
        rect(228, 190, 36, 130, 18, t.base) +
        rect(228, 290, 36, 14, 4, t.metal) +
        ellipse(180, 194, 20, 28, t.ink),
    ) +
    rect(166, 340, 308, 182, 70, t.base) +
    path('M166 410 L474 410 L474 452 Q474 522 404 522 L236 522 Q166 522 166 452Z', t.dark) +
    line('M170 408 L470 408', t.deep, 5) +
    circle(320, 450, 9, '#8fd694'),
  'desk-organizer': (t: Tones) =>
    line('M210 320 L188 150', '#e6823c', 20) +
    line('M244 320 L250 128', t.ink, 16) +
    line('M284 320 L304 164', '#4178b8', 18) +
    path('M184 132 L204 128 L190 106Z', t.wood) +
    rect(366, 190, 92, 150, 4, '#f1c647') +
    line('M384 222 L440 222 M384 246 L424 246', t.woodDark, 6) +
    rect(160, 280, 170, 240, 16, t.base) +
    rect(330, 340, 160, 180, 16, t.light) +
    rect(160, 480, 330, 40, 14, t.dark) +
    circle(410, 420, 14, t.dark),
};

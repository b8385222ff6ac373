import type { DemoDepartment } from './demo-product.js';

/** The demo's things for the home and the desk. */
export const home: DemoDepartment = {
  slug: 'home-and-desk',
  name: 'Home & Desk',
  description: 'Warm light, soft things, and paper worth writing on.',
  picture: 'table-lamp-cream',
  shelves: [
    {
      slug: 'light-and-living',
      name: 'Light & Living',
      description: 'Lamps, textiles and vessels for rooms that are lived in.',
      picture: 'table-lamp-cream',
      groups: [
        {
          name: 'Linen Shade Table Lamp',
          picture: 'table-lamp',
          sku: 'LMP',
          description:
            'A warm, glare-free light for a bedside or a sideboard. Turned oak base, linen shade, a cable of two meters in cotton; standard E27 bulb not included.',
          material: 'Linen and oak',
          priceCents: 6900,
          colors: ['Cream', 'Sage', 'Charcoal'],
          sizes: [['48 cm', 0]],
          stock: [34, 15, 12],
        },
        {
          name: 'Wave Cushion',
          picture: 'cushion',
          sku: 'CSH',
          description:
            'A plump velvet cushion stitched with soft waves. The cover zips off for washing and the filling is recycled.',
          material: 'Cotton velvet',
          priceCents: 2900,
          colors: ['Teal', 'Mustard', 'Terracotta', 'Cream'],
          sizes: [['45 x 45 cm', 0]],
          stock: [72, 55, 40, 9],
        },
        {
          name: 'Waffle Throw Blanket',
          picture: 'blanket',
          sku: 'BLK',
          description:
            'A light waffle-weave throw for sofa evenings, with a knotted fringe along the short sides. Gets softer with every wash.',
          material: 'Cotton',
          priceCents: 5400,
          colors: ['Sage', 'Cream', 'Grey', 'Terracotta'],
          sizes: [['130 x 170 cm', 0]],
          stock: [41, 38, 22, 6],
        },
        {
          name: 'Stoneware Vase',
          picture: 'vase',
          sku: 'VAS',
          description:
            'Thrown on the wheel and glazed by hand, so that no two are quite alike. Holds a generous bunch or a single branch.',
          material: 'Stoneware',
          priceCents: 3900,
          colors: ['Terracotta', 'Cream', 'Charcoal'],
          sizes: [['28 cm', 0]],
          stock: [8, 17, 11],
        },
        {
          name: 'Cedar and Fig Candle',
          picture: 'candle',
          sku: 'CDL',
          description:
            'A slow-burning soy candle that smells of a walk in the woods after rain. The glass makes a good tumbler afterwards.',
          material: 'Soy wax',
          priceCents: 1800,
          colors: ['Green'],
          sizes: [
            ['45 h', 0],
            ['80 h', 1200],
          ],
          stock: [125, 44],
        },
        {
          name: 'Quiet Wall Clock',
          picture: 'wall-clock',
          sku: 'CLK',
          description:
            'A clear face, a sweeping second hand and no ticking at all. Runs for more than a year on one AA battery.',
          material: 'Metal and glass',
          priceCents: 4400,
          colors: ['Navy', 'Cream', 'Sage'],
          sizes: [['30 cm', 0]],
          stock: [57, 31, 26],
        },
        {
          name: 'Arched Wall Mirror',
          picture: 'mirror',
          sku: 'MIR',
          description: 'An arched mirror in a slim ash frame that makes a small hallway feel larger. Hangs or leans.',
          material: 'Ash wood',
          priceCents: 13900,
          colors: ['Natural', 'Black'],
          sizes: [
            ['60 x 90 cm', 0],
            ['80 x 120 cm', 6000],
          ],
          stock: [13, 6, 8, 3],
        },
        {
          name: 'Snake Plant in Ceramic Pot',
          picture: 'planter',
          sku: 'PLA',
          description:
            'The plant that forgives everything: little light, little water, long holidays. Delivered potted and ready to ignore.',
          material: 'Ceramic',
          priceCents: 3200,
          colors: ['White', 'Terracotta', 'Charcoal'],
          sizes: [['45 cm', 0]],
          stock: [30, 25, 16],
        },
      ],
    },
    {
      slug: 'desk-and-paper',
      name: 'Desk & Paper',
      description: 'Notebooks, pens and felt for people who still write things down.',
      picture: 'notebook-black',
      groups: [
        {
          name: 'Dotted Notebook',
          picture: 'notebook',
          sku: 'NTB',
          description:
            '192 numbered pages of smooth dotted paper that takes fountain-pen ink without bleeding. Opens flat, closes with an elastic band.',
          material: 'Paper, linen cover',
          priceCents: 1600,
          colors: ['Black', 'Terracotta', 'Sage', 'Navy'],
          sizes: [
            ['A5', 0],
            ['A6', -400],
          ],
          stock: [170, 90, 65, 48, 72, 50, 81, 0],
        },
        {
          name: 'Brass-Clip Fountain Pen',
          picture: 'pen',
          sku: 'PEN',
          description:
            'A light pen with a fine steel nib that starts at first touch. Takes cartridges or the included converter.',
          material: 'Resin and brass',
          priceCents: 3900,
          colors: ['Navy', 'Green', 'Burgundy'],
          sizes: [
            ['Fine', 0],
            ['Broad', 0],
          ],
          stock: [40, 22, 31, 18, 27, 10],
        },
        {
          name: 'Felt Laptop Sleeve',
          picture: 'laptop-sleeve',
          sku: 'SLV',
          description:
            'Thick wool felt that protects without bulk. The flap closes with a brass snap and the front carries your charger.',
          material: 'Wool felt',
          priceCents: 3400,
          colors: ['Grey', 'Charcoal', 'Sage'],
          sizes: [
            ['14 inch', 0],
            ['16 inch', 400],
          ],
          stock: [55, 33, 46, 29, 24, 12],
        },
      ],
    },
  ],
};

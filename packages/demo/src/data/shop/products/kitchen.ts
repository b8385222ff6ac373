import type { DemoDepartment } from './demo-product.js';

/** The demo's kitchenware. */
export const kitchen: DemoDepartment = {
  slug: 'kitchen-and-table',
  name: 'Kitchen & Table',
  description: 'Stoneware, iron and oak for every day: made to be used, washed and used again.',
  picture: 'mug-blue',
  shelves: [
    {
      slug: 'cups-and-plates',
      name: 'Cups & Plates',
      description: 'Mugs, bowls and plates in glazes that go with one another.',
      picture: 'plate-sage',
      groups: [
        {
          name: 'Stoneware Mug',
          picture: 'mug',
          sku: 'MUG',
          description:
            'A mug with a generous handle and a reactive glaze, at home in dishwasher and microwave. Thrown a little thicker at the foot, so that it stands firmly and keeps a proper cup of coffee warm to the last sip.',
          material: 'Stoneware',
          priceCents: 1400,
          colors: ['Blue', 'Sage', 'Terracotta', 'Cream'],
          sizes: [['350 ml', 0]],
          stock: [190, 84, 61, 7],
        },
        {
          name: 'Deep Ramen Bowl',
          picture: 'bowl',
          sku: 'BWL',
          description:
            'Deep enough for noodles, wide enough for salad. Stacks neatly, does not chip easily, and has a foot ring that keeps the heat off your hands.',
          material: 'Porcelain',
          priceCents: 1700,
          colors: ['White', 'Blue', 'Charcoal'],
          sizes: [['1 l', 0]],
          stock: [105, 48, 33],
        },
        {
          name: 'Dinner Plate',
          picture: 'plate',
          sku: 'PLT',
          description:
            'A flat plate with a raised rim that keeps the sauce where it belongs. Matte outside, glossy inside, and one that fits in every dishwasher.',
          material: 'Stoneware',
          priceCents: 1500,
          colors: ['Sage', 'Cream', 'Blue'],
          sizes: [
            ['27 cm', 0],
            ['21 cm', -400],
          ],
          stock: [150, 96, 88, 60, 74, 41],
        },
        {
          name: 'Round-Belly Teapot',
          picture: 'teapot',
          sku: 'TPT',
          description:
            'A teapot that pours without dripping, with a fine strainer built into the spout. Enough for four cups, and round enough to be the middle of a long conversation.',
          material: 'Earthenware',
          priceCents: 3900,
          colors: ['Terracotta', 'Charcoal', 'Cream'],
          sizes: [['1.2 l', 0]],
          stock: [22, 14, 0],
        },
        {
          name: 'Stackable Tumblers, Set of Three',
          picture: 'tumblers',
          sku: 'TMB',
          description:
            'Three everyday glasses that stack without getting stuck. Tempered, so that they survive the odd fall, and heavy enough at the base to feel like more than they cost.',
          material: 'Tempered glass',
          priceCents: 1900,
          colors: ['Clear', 'Amber', 'Smoke'],
          sizes: [['300 ml', 0]],
          stock: [88, 52, 37],
        },
      ],
    },
    {
      slug: 'cooking',
      name: 'Cooking',
      description: 'Pans, pots and boards that outlast their recipes.',
      picture: 'casserole-red',
      groups: [
        {
          name: 'Cast-Iron Frying Pan',
          picture: 'frying-pan',
          sku: 'PAN',
          description:
            'Pre-seasoned and ready for the best fried eggs of your life. The handle of beech stays cool on the stove and unscrews for the oven.',
          material: 'Cast iron',
          priceCents: 4900,
          colors: ['Black'],
          sizes: [
            ['26 cm', 0],
            ['20 cm', -1200],
            ['30 cm', 1500],
          ],
          stock: [36, 28, 9],
        },
        {
          name: 'Enameled Casserole',
          picture: 'casserole',
          sku: 'CAS',
          description:
            'Browns, braises and bakes, and goes from stove to oven to table. The heavy lid drips moisture back onto the food; the enamel inside is pale, so that you see what you do.',
          material: 'Enameled cast iron',
          priceCents: 11900,
          colors: ['Red', 'Navy', 'Sage'],
          sizes: [
            ['4.5 l', 0],
            ['6.5 l', 4000],
          ],
          stock: [14, 8, 17, 11, 12, 5],
        },
        {
          name: 'French Press',
          picture: 'french-press',
          sku: 'FRP',
          description:
            'Four minutes to a full-bodied pot of coffee. The double mesh keeps the grounds out of your cup, and every part can be bought again.',
          material: 'Glass and steel',
          priceCents: 3600,
          colors: ['Copper', 'Steel'],
          sizes: [['1 l', 0]],
          stock: [47, 58],
        },
        {
          name: 'Airtight Storage Jar',
          picture: 'storage-jar',
          sku: 'JAR',
          description:
            'A clear jar with a turned oak lid and a silicone seal, which keeps flour dry and cookies crisp. The three sizes are of one width and stand on top of each other.',
          material: 'Glass and oak',
          priceCents: 1300,
          colors: ['Natural'],
          sizes: [
            ['1 l', 0],
            ['0.5 l', -300],
            ['2 l', 600],
          ],
          stock: [0, 64, 45],
        },
        {
          name: 'Oak Cutting Board',
          picture: 'cutting-board',
          sku: 'BRD',
          description:
            'A solid board with a handle for carrying and hanging. Cut from one plank, oiled with linseed and kind to your knives.',
          material: 'Oak',
          priceCents: 4200,
          colors: ['Natural'],
          sizes: [
            ['38 x 26 cm', 0],
            ['30 x 20 cm', -1300],
            ['46 x 32 cm', 1600],
          ],
          stock: [51, 66, 18],
        },
        {
          name: 'Stovetop Kettle',
          picture: 'kettle',
          sku: 'KET',
          description:
            'Whistles when it is ready and works on every stove, induction included. The oak handle stays cool.',
          material: 'Enameled steel',
          priceCents: 5900,
          colors: ['Light Blue', 'Cream', 'Charcoal'],
          sizes: [['1.8 l', 0]],
          stock: [19, 24, 13],
        },
        {
          name: 'Checked Tea Towel',
          picture: 'tea-towel',
          sku: 'TWL',
          description:
            'Absorbent, lint-free and good-looking enough to leave out. Woven half linen, half cotton, with a loop for hanging.',
          material: 'Linen and cotton',
          priceCents: 900,
          colors: ['Red', 'Navy', 'Sage'],
          sizes: [['50 x 70 cm', 0]],
          stock: [210, 140, 125],
        },
      ],
    },
  ],
};

import type { DemoDepartment } from './demo-product.js';

/** The demo's bags, and what one takes along. */
export const bags: DemoDepartment = {
  slug: 'bags-and-travel',
  name: 'Bags & Travel',
  description: 'Canvas, leather and steel that look better after the journey than before it.',
  picture: 'rucksack-olive',
  shelves: [
    {
      slug: 'bags',
      name: 'Bags',
      description: 'From the week’s groceries to a weekend away.',
      picture: 'rucksack-olive',
      groups: [
        {
          name: 'City Backpack',
          picture: 'backpack',
          sku: 'BPK',
          description:
            'A slim daypack with a padded laptop sleeve and a pocket that opens against your back. Water-resistant and light.',
          material: 'Recycled polyester',
          priceCents: 7900,
          colors: ['Grey', 'Navy', 'Terracotta'],
          sizes: [['18 l', 0]],
          stock: [49, 35, 17],
        },
        {
          name: 'Canvas Rucksack',
          picture: 'rucksack',
          sku: 'RCK',
          description:
            'A roll-up classic with leather straps, two side pockets and loops underneath for a blanket. Built for weekends away.',
          material: 'Waxed canvas',
          priceCents: 10900,
          colors: ['Olive', 'Navy', 'Tan'],
          sizes: [['28 l', 0]],
          stock: [15, 12, 7],
        },
        {
          name: 'Everyday Tote',
          picture: 'tote',
          sku: 'TOT',
          description:
            "A sturdy tote in heavy canvas with a flat base and an inside pocket for your keys. Carries a week's groceries without complaint.",
          material: 'Organic cotton',
          priceCents: 2400,
          colors: ['Cream', 'Navy', 'Terracotta'],
          sizes: [['14 l', 0]],
          stock: [160, 92, 77],
        },
        {
          name: 'Weekend Duffel Bag',
          picture: 'duffel-bag',
          sku: 'DUF',
          description:
            'Wide-mouthed and easy to pack, with a separate compartment for shoes. Sized to go under an airline seat.',
          material: 'Cotton canvas',
          priceCents: 9900,
          colors: ['Navy', 'Olive', 'Grey'],
          sizes: [['40 l', 0]],
          stock: [28, 19, 23],
        },
      ],
    },
    {
      slug: 'on-the-way',
      name: 'On the Way',
      description: 'Cases, bottles, umbrellas and wallets for every day on the road.',
      picture: 'suitcase-teal',
      groups: [
        {
          name: 'Hard-Shell Cabin Suitcase',
          picture: 'suitcase',
          sku: 'STC',
          description:
            'A quiet-rolling case with four double wheels and a built-in lock. The ribbed shell shrugs off scratches.',
          material: 'Polycarbonate',
          priceCents: 14900,
          colors: ['Teal', 'Cream', 'Charcoal'],
          sizes: [
            ['38 l', 0],
            ['62 l', 4000],
          ],
          stock: [17, 11, 14, 9, 20, 6],
        },
        {
          name: 'Bifold Wallet',
          picture: 'wallet',
          sku: 'WLT',
          description:
            'Six cards, a note compartment and a snapped coin pocket in a wallet that stays thin. Darkens beautifully with use.',
          material: 'Vegetable-tanned leather',
          priceCents: 4900,
          colors: ['Tan', 'Brown', 'Black'],
          sizes: [['11 x 9 cm', 0]],
          stock: [83, 47, 56],
        },
        {
          name: 'Insulated Water Bottle',
          picture: 'flask',
          sku: 'FLK',
          description:
            'Keeps water cold for a day and tea hot for twelve hours. The wide mouth takes ice cubes and a bottle brush.',
          material: 'Stainless steel',
          priceCents: 2900,
          colors: ['Blue', 'Sage', 'Cream', 'Charcoal'],
          sizes: [
            ['750 ml', 0],
            ['500 ml', -400],
          ],
          stock: [135, 80, 62, 54, 71, 39, 88, 0],
        },
        {
          name: 'Windproof Umbrella',
          picture: 'umbrella',
          sku: 'UMB',
          description:
            'Eight fiberglass ribs that flex instead of breaking, tested in a wind tunnel. The curved handle is solid ash.',
          material: 'Recycled polyester',
          priceCents: 3600,
          colors: ['Black', 'Navy', 'Mustard'],
          sizes: [['98 cm', 0]],
          stock: [59, 34, 18],
        },
      ],
    },
  ],
};

import type { DemoProduct } from './demo-product.js';

/** The demo's bags. */
export const bags: DemoProduct[] = [
  {
    name: 'City Backpack',
    description:
      'A slim daypack with a padded laptop sleeve and a pocket that opens against your back. Water-resistant and light.',
    priceCents: 7900,
    stock: 49,
    color: 'Grey',
    material: 'Recycled polyester',
    size: '18 l',
    picture: 'backpack-grey',
  },
  {
    name: 'Canvas Rucksack',
    description:
      'A roll-up classic with leather straps, two side pockets and loops underneath for a blanket. Built for weekends away.',
    priceCents: 10900,
    stock: 15,
    color: 'Olive',
    material: 'Waxed canvas',
    size: '28 l',
    picture: 'rucksack-olive',
  },
  {
    name: 'Everyday Tote',
    description:
      "A sturdy tote in heavy canvas with a flat base and an inside pocket for your keys. Carries a week's groceries without complaint.",
    priceCents: 2400,
    stock: 160,
    color: 'Cream',
    material: 'Organic cotton',
    size: '14 l',
    picture: 'tote-cream',
  },
  {
    name: 'Messenger Bag',
    description:
      'A cross-body bag with a full flap and quick-release buckles. Fits a 14-inch laptop, a lunch box and a book.',
    priceCents: 8400,
    stock: 20,
    color: 'Brown',
    material: 'Canvas and leather',
    size: '12 l',
    picture: 'messenger-bag-brown',
  },
  {
    name: 'Weekend Duffel Bag',
    description:
      'Wide-mouthed and easy to pack, with a separate compartment for shoes. Sized to go under an airline seat.',
    priceCents: 9900,
    stock: 28,
    color: 'Navy',
    material: 'Cotton canvas',
    size: '40 l',
    picture: 'duffel-bag-navy',
  },
  {
    name: 'Hard-Shell Cabin Suitcase',
    description:
      'A quiet-rolling cabin case with four double wheels and a built-in lock. The ribbed shell shrugs off scratches.',
    priceCents: 14900,
    stock: 17,
    color: 'Teal',
    material: 'Polycarbonate',
    size: '38 l',
    picture: 'suitcase-teal',
  },
  {
    name: 'Bifold Wallet',
    description:
      'Six cards, a note compartment and a snapped coin pocket in a wallet that stays thin. Darkens beautifully with use.',
    priceCents: 4900,
    stock: 83,
    color: 'Tan',
    material: 'Vegetable-tanned leather',
    size: '11 x 9 cm',
    picture: 'wallet-tan',
  },
  {
    name: 'Hip Belt Bag',
    description:
      'Keeps phone, keys and a snack at hand on a run or at a festival. The strap adjusts in a second; the next batch is on its way.',
    priceCents: 3400,
    stock: 0,
    color: 'Orange',
    material: 'Ripstop nylon',
    size: '2 l',
    picture: 'belt-bag-orange',
  },
];

import type { DemoProduct } from './demo-product.js';

/** The demo's shoes. */
export const shoes: DemoProduct[] = [
  {
    name: 'Canvas Low Sneakers',
    description:
      'Simple canvas sneakers on a vulcanized rubber sole. Light, washable and easy to wear with everything.',
    priceCents: 5900,
    stock: 66,
    color: 'White',
    material: 'Canvas',
    size: '42',
    picture: 'sneaker-white',
  },
  {
    name: 'Suede Court Sneakers',
    description:
      'A tennis shoe from the seventies, remade in soft suede with a padded tongue. Brush them now and then and they stay good-looking.',
    priceCents: 8900,
    stock: 31,
    color: 'Blue',
    material: 'Suede',
    size: '43',
    picture: 'sneaker-blue',
  },
  {
    name: 'Daily Trainer Running Shoes',
    description:
      'A cushioned trainer for easy miles on the road, with an 8 mm drop and a wide toe box. The mesh upper breathes and dries fast.',
    priceCents: 11900,
    stock: 44,
    color: 'Red',
    material: 'Engineered mesh',
    size: '41',
    picture: 'running-shoe-red',
  },
  {
    name: 'Lace-Up Leather Boots',
    description:
      'Welted boots that can be resoled again and again. The leather starts stiff and becomes yours within two weeks.',
    priceCents: 18900,
    stock: 10,
    color: 'Brown',
    material: 'Full-grain leather',
    size: '43',
    picture: 'leather-boot-brown',
  },
  {
    name: 'Chelsea Ankle Boots',
    description:
      'Pull-on ankle boots with elastic sides and a low stacked heel. Smart enough for the office, grippy enough for wet sidewalks.',
    priceCents: 14900,
    stock: 23,
    color: 'Black',
    material: 'Leather',
    size: '40',
    picture: 'ankle-boot-black',
  },
  {
    name: 'Tall Rain Boots',
    description:
      'Fully waterproof boots with a cotton lining and a deep tread. Made for puddles, gardens and muddy dogs.',
    priceCents: 4900,
    stock: 52,
    color: 'Yellow',
    material: 'Natural rubber',
    size: '39',
    picture: 'rain-boot-yellow',
  },
  {
    name: 'Penny Loafers',
    description:
      'Hand-sewn loafers with a cushioned leather insole. No laces, no fuss, and they look better every year.',
    priceCents: 12900,
    stock: 4,
    color: 'Burgundy',
    material: 'Leather',
    size: '42',
    picture: 'loafer-burgundy',
  },
  {
    name: 'Cork Footbed Sandals',
    description:
      'Two adjustable straps over a cork footbed that shapes itself to your foot. The sole is easy to replace.',
    priceCents: 6900,
    stock: 37,
    color: 'Tan',
    material: 'Leather and cork',
    size: '38',
    picture: 'sandal-tan',
  },
];

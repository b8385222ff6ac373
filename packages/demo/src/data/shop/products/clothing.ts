import type { DemoDepartment } from './demo-product.js';

const adultSizes: [string, number][] = [
  ['M', 0],
  ['S', 0],
  ['L', 0],
];

/** The demo's clothing. */
export const clothing: DemoDepartment = {
  slug: 'clothing',
  name: 'Clothing',
  description: 'Plain cuts in good cotton and wool, made to be worn for years and mended.',
  picture: 'sweater-cream',
  shelves: [
    {
      slug: 'shirts-and-knitwear',
      name: 'Shirts & Knitwear',
      description: 'Tops in organic cotton, Oxford cloth, lambswool and merino.',
      picture: 'sweater-cream',
      groups: [
        {
          name: 'Everyday Crew T-Shirt',
          picture: 't-shirt',
          sku: 'TEE',
          description:
            'A plain crew-neck tee in mid-weight organic cotton that keeps its shape wash after wash. Cut straight, with a ribbed collar that does not stretch out.',
          material: 'Organic cotton',
          priceCents: 1900,
          colors: ['White', 'Navy', 'Sage'],
          sizes: [...adultSizes, ['XL', 0]],
          stock: [140, 96, 120, 44, 85, 60, 71, 30, 52, 38, 45, 0],
        },
        {
          name: 'Breton Striped Top',
          picture: 'striped-top',
          sku: 'BRT',
          description:
            "The sailor's classic with woven stripes and a slightly dropped shoulder. Looks right with jeans, shorts or under a blazer.",
          material: 'Cotton',
          priceCents: 3400,
          colors: ['Navy', 'Red'],
          sizes: adultSizes,
          stock: [48, 36, 41, 19, 23, 15],
        },
        {
          name: 'Oxford Button-Down Shirt',
          picture: 'shirt',
          sku: 'OXF',
          description:
            'A proper Oxford shirt that gets better with age. Garment-washed for a soft first wear, with a chest pocket and a full-length placket.',
          material: 'Oxford cotton',
          priceCents: 5400,
          colors: ['Light Blue', 'White'],
          sizes: [...adultSizes, ['XL', 0]],
          stock: [39, 28, 33, 14, 45, 21, 37, 8],
        },
        {
          name: 'Cable-Knit Sweater',
          picture: 'sweater',
          sku: 'SWT',
          description:
            "A warm fisherman's sweater with three cables down the front, knitted in one piece so that there are no seams to scratch. Hand-wash cold and dry flat.",
          material: 'Lambswool',
          priceCents: 8900,
          colors: ['Cream', 'Navy'],
          sizes: adultSizes,
          stock: [21, 16, 12, 18, 9, 14],
        },
        {
          name: 'Merino V-Neck Cardigan',
          picture: 'cardigan',
          sku: 'CRD',
          description:
            'Fine-gauge merino that is light enough to layer and warm enough on its own. Five horn-effect buttons and two patch pockets.',
          material: 'Merino wool',
          priceCents: 9500,
          colors: ['Burgundy', 'Grey'],
          sizes: adultSizes,
          stock: [12, 7, 15, 18, 11, 13],
        },
        {
          name: 'Brushed Fleece Hoodie',
          picture: 'hoodie',
          sku: 'HOD',
          description:
            'The hoodie you will not want to take off: brushed inside, tightly knitted outside, with a lined hood and a roomy front pocket.',
          material: 'Cotton fleece',
          priceCents: 5900,
          colors: ['Grey', 'Olive'],
          sizes: adultSizes,
          stock: [74, 52, 66, 31, 27, 24],
        },
      ],
    },
    {
      slug: 'warm-accessories',
      name: 'Warm Accessories',
      description: 'For heads, necks and feet.',
      picture: 'beanie-mustard',
      groups: [
        {
          name: 'Chunky Pom-Pom Beanie',
          picture: 'beanie',
          sku: 'BEA',
          description:
            'A double-layer beanie with a deep turn-up that covers the ears. The pom-pom snaps off before washing.',
          material: 'Wool blend',
          priceCents: 2400,
          colors: ['Mustard', 'Grey', 'Burgundy'],
          sizes: [['One size', 0]],
          stock: [96, 63, 42],
        },
        {
          name: 'Ribbed Socks, Three Pairs',
          picture: 'socks',
          sku: 'SCK',
          description:
            'Three pairs of mid-calf socks with a cushioned sole and a reinforced heel and toe. They stay up and never pinch.',
          material: 'Cotton blend',
          priceCents: 1600,
          colors: ['Beige', 'Navy'],
          sizes: [
            ['39-42', 0],
            ['43-46', 0],
          ],
          stock: [230, 160, 145, 110],
        },
        {
          name: 'Fringed Wool Scarf',
          picture: 'scarf',
          sku: 'SCF',
          description: 'A soft lambswool scarf, long enough to wrap twice. Woven in small batches, fringed by hand.',
          material: 'Lambswool',
          priceCents: 4500,
          colors: ['Red', 'Grey', 'Mustard'],
          sizes: [['30 x 180 cm', 0]],
          stock: [9, 26, 20],
        },
      ],
    },
  ],
};

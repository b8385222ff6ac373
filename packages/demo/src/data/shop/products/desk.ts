import type { DemoProduct } from './demo-product.js';

/** The demo's desk and tech accessories. */
export const desk: DemoProduct[] = [
  {
    name: 'Dotted Notebook',
    description:
      '192 numbered pages of smooth dotted paper that takes fountain-pen ink without bleeding. Opens flat, closes with an elastic band.',
    priceCents: 1600,
    stock: 170,
    color: 'Black',
    material: 'Paper, linen cover',
    size: 'A5',
    picture: 'notebook-black',
  },
  {
    name: 'Brass-Clip Fountain Pen',
    description:
      'A light pen with a fine steel nib that starts at first touch. Takes cartridges or the included converter.',
    priceCents: 3900,
    stock: 40,
    color: 'Navy',
    material: 'Resin and steel',
    size: null,
    picture: 'pen-navy',
  },
  {
    name: 'Compact Mechanical Keyboard',
    description:
      'A small keyboard with quiet tactile switches and swappable keycaps. Connects by cable or to three devices by radio.',
    priceCents: 9900,
    stock: 27,
    color: 'Sage',
    material: 'Aluminum',
    size: '60 %',
    picture: 'keyboard-sage',
  },
  {
    name: 'Over-Ear Headphones',
    description:
      'Closed headphones with active noise canceling and 35 hours of battery. The ear pads are replaceable, and so is the battery.',
    priceCents: 15900,
    stock: 33,
    color: 'Cream',
    material: 'Recycled plastic',
    size: null,
    picture: 'headphones-cream',
  },
  {
    name: 'Bookshelf Speaker',
    description:
      'A wireless speaker with a warm, unhurried sound. One is enough for a living room; two make a stereo pair.',
    priceCents: 18900,
    stock: 10,
    color: 'Natural',
    material: 'Walnut veneer',
    size: '22 x 34 cm',
    picture: 'speaker-natural',
  },
  {
    name: 'Wooden Phone Stand',
    description:
      'Holds your phone at the right angle for calls and recipes, with a slot for the charging cable. Painted with water-based color.',
    priceCents: 2400,
    stock: 92,
    color: 'Terracotta',
    material: 'Beech',
    size: null,
    picture: 'phone-stand-terracotta',
  },
  {
    name: 'Felt Laptop Sleeve',
    description:
      'Thick wool felt that protects without bulk. The flap closes with a brass snap and the front carries your charger.',
    priceCents: 3400,
    stock: 55,
    color: 'Purple',
    material: 'Wool felt',
    size: '14 inch',
    picture: 'laptop-sleeve-purple',
  },
  {
    name: 'Adjustable Desk Lamp',
    description:
      'A counter-balanced task lamp with a dimmable LED that can be replaced. Puts the light exactly where you work.',
    priceCents: 7900,
    stock: 16,
    color: 'Green',
    material: 'Steel',
    size: '55 cm',
    picture: 'desk-lamp-green',
  },
  {
    name: 'Pocket Power Bank',
    description: 'Two full charges for a phone in a pocket-sized case. Four lights show what is left.',
    priceCents: 4400,
    stock: 78,
    color: 'Teal',
    material: null,
    size: '10,000 mAh',
    picture: 'power-bank-teal',
  },
  {
    name: 'True Wireless Earbuds',
    description:
      'Small earbuds with a natural sound and a case that charges them three times over. Sweat and rain do not bother them.',
    priceCents: 8900,
    stock: 5,
    color: 'White',
    material: null,
    size: 'S, M and L tips',
    picture: 'earbuds-white',
  },
  {
    name: 'Desk Organizer',
    description: 'A pen cup, a note holder and a small drawer in one. Gives everything on your desk a home.',
    priceCents: 2900,
    stock: 43,
    color: 'Grey',
    material: 'Powder-coated steel',
    size: '20 x 12 cm',
    picture: 'desk-organizer-grey',
  },
];

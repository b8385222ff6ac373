import type { ReviewText } from './review-text.js';

/** What buyers say about clothing, shoes and bags. */
export const wearReviews: ReviewText[] = [
  {
    product: 'Everyday Crew T-Shirt',
    rating: 5,
    title: 'My new standard tee',
    content: 'Fits well, washes well, and the collar still lies flat after two months. Ordered three more.',
  },
  { product: 'Everyday Crew T-Shirt', rating: 4, title: null, content: 'A touch long on me, otherwise perfect.' },
  {
    product: 'Breton Striped Top',
    rating: 5,
    title: 'A classic done right',
    content: 'The stripes are woven, not printed, and line up at the seams.',
  },
  {
    product: 'Breton Striped Top',
    rating: 3,
    title: 'Nice but runs small',
    content: 'Lovely top, but take one size up if you are between two.',
  },
  {
    product: 'Oxford Button-Down Shirt',
    rating: 5,
    title: 'Better with every wash',
    content: 'Soft from the first day and needs little ironing.',
  },
  {
    product: 'Oxford Button-Down Shirt',
    rating: 4,
    title: 'Good weight',
    content: 'Sleeves are a bit long, but I roll them up anyway.',
  },
  {
    product: 'Cable-Knit Sweater',
    rating: 5,
    title: 'Warm and not scratchy',
    content: 'I wear it straight over a T-shirt. Worth every cent.',
  },
  {
    product: 'Merino V-Neck Cardigan',
    rating: 5,
    title: 'Light and warm',
    content: 'Travels with me everywhere. No pilling so far.',
  },
  {
    product: 'Brushed Fleece Hoodie',
    rating: 5,
    title: 'I live in this',
    content: 'The inside is still soft after many washes, which I cannot say of my other hoodies.',
  },
  {
    product: 'Brushed Fleece Hoodie',
    rating: 4,
    title: 'Roomy',
    content: 'Generous cut. The pocket holds a paperback.',
  },
  {
    product: 'Chunky Pom-Pom Beanie',
    rating: 5,
    title: 'Covers the ears',
    content: 'Warm and soft, and my daughter keeps stealing it.',
  },
  {
    product: 'Ribbed Socks, Three Pairs',
    rating: 5,
    title: 'They stay up',
    content: 'No red rings around my calves at the end of a shift.',
  },
  { product: 'Ribbed Socks, Three Pairs', rating: 4, title: null, content: 'Good socks. More colors, please.' },
  { product: 'Fringed Wool Scarf', rating: 5, title: 'Long enough', content: 'Wraps twice and still hangs nicely.' },
  {
    product: 'City Backpack',
    rating: 5,
    title: 'Thoughtful pockets',
    content: 'The pocket against the back is perfect for a passport.',
  },
  {
    product: 'City Backpack',
    rating: 4,
    title: 'Good commuter',
    content: 'Holds a laptop and lunch. I would like a bottle pocket on both sides.',
  },
  {
    product: 'Canvas Rucksack',
    rating: 5,
    title: 'Gets better with age',
    content: 'Looks new after a quick brush, and lovely with a few scratches.',
  },
  { product: 'Everyday Tote', rating: 5, title: 'Carries everything', content: "A week's groceries, as promised." },
  {
    product: 'Weekend Duffel Bag',
    rating: 5,
    title: 'Swallows a lot',
    content: 'Three days for two people went in. The shoe compartment is clever.',
  },
  {
    product: 'Hard-Shell Cabin Suitcase',
    rating: 4,
    title: 'Rolls silently',
    content: 'Smooth wheels, light shell. The handle could be a bit longer.',
  },
  {
    product: 'Bifold Wallet',
    rating: 5,
    title: 'Thin and good leather',
    content: 'Has turned a wonderful brown in three months.',
  },
];

/** An author without an account. */
interface DemoGuest {
  name: string;
  role: string;
  hasPortrait: boolean;
}

/** One testimonial of the demo, by a user or by a guest. */
export interface DemoTestimonial {
  author: { username: string } | { guest: DemoGuest };
  content: string;
  rating: number;
  isFeatured: boolean;
  daysAgo: number;
  /** What the shop answers. */
  answer?: string;
}

/** The testimonials of the demo, oldest first. */
export const testimonials: readonly DemoTestimonial[] = [
  {
    author: {
      guest: {
        name: 'Hannah Vogel',
        role: 'Owner of a small café',
        hasPortrait: true,
      },
    },
    content: 'We bought all our mugs and plates here. A year of dishwashers later, they still look new.',
    rating: 5,
    isFeatured: true,
    daysAgo: 171,
    answer: 'A year in a café is the hardest test we know of. Thank you, Hannah.',
  },
  {
    author: { username: 'maria.santos' },
    content:
      'Everything arrives when they say it will, packed without a mountain of plastic. I have stopped looking elsewhere.',
    rating: 5,
    isFeatured: true,
    daysAgo: 158,
  },
  {
    author: { username: 'liam_obrien' },
    content: 'The waxed rucksack did what it promised, on the wettest trail in the country.',
    rating: 5,
    isFeatured: false,
    daysAgo: 139,
  },
  {
    author: {
      guest: {
        name: 'Daniel Mbeki',
        role: 'Photographer',
        hasPortrait: true,
      },
    },
    content:
      'I ordered one rucksack for a trip and ended up equipping the whole crew. Honest descriptions, fair prices.',
    rating: 5,
    isFeatured: true,
    daysAgo: 121,
  },
  {
    author: { username: 'aisha.khan' },
    content: 'Swapped a sweater for another size and had it three days later. No forms, no discussion.',
    rating: 4,
    isFeatured: true,
    daysAgo: 97,
  },
  {
    author: { username: 'tobias.weber' },
    content: 'A shop that writes what a pan weighs and how to look after it. More of this, please.',
    rating: 5,
    isFeatured: false,
    daysAgo: 80,
  },
  {
    author: { guest: { name: 'Elena Rossi', role: 'Interior stylist', hasPortrait: false } },
    content: 'Good taste and a small, careful selection. I would love to see more lamps.',
    rating: 4,
    isFeatured: false,
    daysAgo: 63,
  },
  {
    author: { username: 'kenji.t' },
    content: 'The pen came with a spare converter and a handwritten note. Small things, but I remember them.',
    rating: 5,
    isFeatured: true,
    daysAgo: 41,
  },
  {
    author: { username: 'nora.lindqvist' },
    content: 'One lamp arrived with a dented shade. They sent a new one the same day and told me to keep the old one.',
    rating: 4,
    isFeatured: false,
    daysAgo: 27,
  },
  {
    author: { guest: { name: 'Peter Novak', role: 'Scout leader', hasPortrait: false } },
    content: 'Twelve water bottles, four rucksacks, one delivery, nothing missing.',
    rating: 5,
    isFeatured: false,
    daysAgo: 12,
  },
  {
    author: { username: 'grace.kim' },
    content: 'My first order in a new town, and now my kitchen feels like home.',
    rating: 5,
    isFeatured: false,
    daysAgo: 4,
  },
];

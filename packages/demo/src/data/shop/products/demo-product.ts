/** One product of the demo: a variant of its group, or the only one. `pictures` name files of the folder `pictures`. */
export interface DemoProduct {
  /** The name of its group, which the first variant bears too. */
  group: string;
  name: string;
  sku: string;
  description: string;
  priceCents: number;
  stock: number;
  color: string | null;
  material: string | null;
  size: string | null;
  category: string;
  pictures: { name: string; alt: string }[];
}

/** A group of the demo's products: one thing in several colors and sizes. */
export interface DemoGroup {
  name: string;
  /** What the names of its pictures begin with. */
  picture: string;
  sku: string;
  description: string;
  material: string;
  priceCents: number;
  colors: string[];
  /** What each costs more than the first. */
  sizes: [name: string, extraCents: number][];
  /** Of each color in each size. */
  stock: number[];
}

/** A category of the second level, with its groups. */
export interface DemoShelf {
  slug: string;
  name: string;
  description: string;
  picture: string;
  groups: DemoGroup[];
}

/** One of the four departments of the shop. */
export interface DemoDepartment {
  slug: string;
  name: string;
  description: string;
  picture: string;
  shelves: DemoShelf[];
}

/** The account that visitors of the demo sign in with. Its password is public, so it is a shopper's and no more. */
export const demoShopper = { username: 'demo', password: 'demo-shopper-1' };

/** Where a person's parcels go. */
export interface DemoAddress {
  street: string;
  city: string;
  zip: string;
  country: string;
  phone: string | null;
}

/** One user of the demo. `activity` is how much they buy, compared with the others. */
export interface DemoPerson {
  username: string;
  firstName: string;
  lastName: string;
  bio: string | null;
  joinedDaysAgo: number;
  referredBy: string | null;
  accountCreditCents: number;
  activity: number;
  address: DemoAddress;
  cart: Record<string, number>;
}

const unitedStates = 'United States';

/** The users of the demo. */
export const people: readonly DemoPerson[] = [
  {
    username: demoShopper.username,
    firstName: 'Jordan',
    lastName: 'Reed',
    bio: 'Here to look around: this is the account of the demo.',
    joinedDaysAgo: 300,
    referredBy: null,
    accountCreditCents: 2500,
    activity: 3,
    address: {
      street: '48 Maple Street',
      city: 'Portland',
      zip: '97205',
      country: unitedStates,
      phone: '+1 503 555 0142',
    },
    cart: { 'Stoneware Mug': 2, 'Insulated Water Bottle': 1, 'Cable-Knit Sweater': 1 },
  },
  {
    username: 'maria.santos',
    firstName: 'Maria',
    lastName: 'Santos',
    bio: 'Architect, balcony gardener, owner of too many mugs.',
    joinedDaysAgo: 340,
    referredBy: null,
    accountCreditCents: 1000,
    activity: 2.4,
    address: {
      street: '1120 Harbor View',
      city: 'San Diego',
      zip: '92101',
      country: unitedStates,
      phone: '+1 619 555 0117',
    },
    cart: { 'Snake Plant in Ceramic Pot': 1 },
  },
  {
    username: 'liam_obrien',
    firstName: 'Liam',
    lastName: "O'Brien",
    bio: 'I run, I hike, I come home muddy.',
    joinedDaysAgo: 262,
    referredBy: 'maria.santos',
    accountCreditCents: 0,
    activity: 1.8,
    address: { street: '7 Canal Row', city: 'Galway', zip: 'H91 X2K4', country: 'Ireland', phone: null },
    cart: {},
  },
  {
    username: 'aisha.khan',
    firstName: 'Aisha',
    lastName: 'Khan',
    bio: 'Pediatric nurse. Warm feet are not negotiable.',
    joinedDaysAgo: 228,
    referredBy: null,
    accountCreditCents: 0,
    activity: 1.6,
    address: {
      street: '310 Lakeside Drive',
      city: 'Chicago',
      zip: '60614',
      country: unitedStates,
      phone: '+1 312 555 0168',
    },
    cart: { 'Brushed Fleece Hoodie': 1, 'Ribbed Socks, Three Pairs': 2 },
  },
  {
    username: 'kenji.t',
    firstName: 'Kenji',
    lastName: 'Tanaka',
    bio: 'Notebooks, ramen and slow mornings.',
    joinedDaysAgo: 215,
    referredBy: 'demo',
    accountCreditCents: 0,
    activity: 1.7,
    address: { street: '95 Cedar Avenue', city: 'Seattle', zip: '98109', country: unitedStates, phone: null },
    cart: { 'Dotted Notebook': 3 },
  },
  {
    username: 'chloe.martin',
    firstName: 'Chloé',
    lastName: 'Martin',
    bio: null,
    joinedDaysAgo: 196,
    referredBy: null,
    accountCreditCents: 0,
    activity: 1.3,
    address: { street: '22 rue des Lilas', city: 'Lyon', zip: '69003', country: 'France', phone: null },
    cart: {},
  },
  {
    username: 'tobias.weber',
    firstName: 'Tobias',
    lastName: 'Weber',
    bio: 'Cooks for friends every Friday. Owns one good knife.',
    joinedDaysAgo: 188,
    referredBy: 'maria.santos',
    accountCreditCents: 0,
    activity: 1.4,
    address: { street: 'Lindenweg 14', city: 'Freiburg', zip: '79102', country: 'Germany', phone: null },
    cart: { 'Enameled Casserole': 1 },
  },
  {
    username: 'nora.lindqvist',
    firstName: 'Nora',
    lastName: 'Lindqvist',
    bio: 'Interior designer. White walls, warm lamps.',
    joinedDaysAgo: 151,
    referredBy: null,
    accountCreditCents: 0,
    activity: 1.4,
    address: { street: 'Björkgatan 5', city: 'Uppsala', zip: '753 28', country: 'Sweden', phone: null },
    cart: {},
  },
  {
    username: 'samuel.osei',
    firstName: 'Samuel',
    lastName: 'Osei',
    bio: 'Teacher and weekend cyclist.',
    joinedDaysAgo: 122,
    referredBy: 'demo',
    accountCreditCents: 500,
    activity: 1.2,
    address: {
      street: '67 Orchard Lane',
      city: 'Atlanta',
      zip: '30306',
      country: unitedStates,
      phone: '+1 404 555 0183',
    },
    cart: { 'Windproof Umbrella': 1 },
  },
  {
    username: 'priya_nair',
    firstName: 'Priya',
    lastName: 'Nair',
    bio: 'Product manager by day, yoga teacher by evening.',
    joinedDaysAgo: 87,
    referredBy: 'samuel.osei',
    accountCreditCents: 0,
    activity: 1.2,
    address: {
      street: '402 Willow Court',
      city: 'Austin',
      zip: '78704',
      country: unitedStates,
      phone: '+1 512 555 0126',
    },
    cart: {},
  },
  {
    username: 'marcus.bell',
    firstName: 'Marcus',
    lastName: 'Bell',
    bio: null,
    joinedDaysAgo: 54,
    referredBy: null,
    accountCreditCents: 0,
    activity: 0.9,
    address: { street: '19 Station Road', city: 'Bristol', zip: 'BS1 6QF', country: 'United Kingdom', phone: null },
    cart: { 'City Backpack': 1 },
  },
  {
    username: 'grace.kim',
    firstName: 'Grace',
    lastName: 'Kim',
    bio: 'New in town, furnishing one room at a time.',
    joinedDaysAgo: 19,
    referredBy: 'nora.lindqvist',
    accountCreditCents: 0,
    activity: 1,
    address: {
      street: '233 Elm Street, Apt 4B',
      city: 'Boston',
      zip: '02115',
      country: unitedStates,
      phone: '+1 617 555 0159',
    },
    cart: { 'Linen Shade Table Lamp': 1, 'Wave Cushion': 2 },
  },
];

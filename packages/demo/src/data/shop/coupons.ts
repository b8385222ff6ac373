/** One coupon of the demo. Days are counted from now: `expiresInDays` is negative for an expired one. */
export interface DemoCoupon {
  code: string;
  discountPercent: number;
  maxUses: number;
  createdDaysAgo: number;
  expiresInDays: number | null;
  isActive: boolean;
  isPublic: boolean;
}

/** The code of the coupon that the demo's orders use up. */
export const exhaustedCode = 'FLASH30';

/** The coupons of the demo, oldest first: one of every kind that a client has to tell apart. */
export const coupons: readonly DemoCoupon[] = [
  {
    code: 'LAUNCH20',
    discountPercent: 20,
    maxUses: 200,
    createdDaysAgo: 200,
    expiresInDays: -70,
    isActive: true,
    isPublic: true,
  },
  {
    code: 'WELCOME10',
    discountPercent: 10,
    maxUses: 10_000,
    createdDaysAgo: 190,
    expiresInDays: null,
    isActive: true,
    isPublic: true,
  },
  {
    code: 'VIP25',
    discountPercent: 25,
    maxUses: 100,
    createdDaysAgo: 150,
    expiresInDays: null,
    isActive: true,
    isPublic: false,
  },
  {
    code: exhaustedCode,
    discountPercent: 30,
    maxUses: 8,
    createdDaysAgo: 120,
    expiresInDays: 365,
    isActive: true,
    isPublic: true,
  },
  {
    code: 'PAUSED-5',
    discountPercent: 5,
    maxUses: 500,
    createdDaysAgo: 100,
    expiresInDays: null,
    isActive: false,
    isPublic: true,
  },
  {
    code: 'SEASON15',
    discountPercent: 15,
    maxUses: 1000,
    createdDaysAgo: 60,
    expiresInDays: 730,
    isActive: true,
    isPublic: true,
  },
];

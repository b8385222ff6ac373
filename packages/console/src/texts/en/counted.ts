import { countedIn } from '../phrasing/counted.js';

export const counted = countedIn('en-US');

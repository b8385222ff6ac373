export { assets } from './data/scanning/assets.js';
export {
  chatUrl,
  companyName,
  integrations,
  locations,
  members,
  partner,
  profiles,
  receiverSecret,
  receiverUrl,
  tags,
  workflows,
} from './data/scanning/company.js';
export { type DemoEvent } from './data/scanning/events/demo-event.js';
export { type DemoOutcome, outcomesOfScans, sentByHand } from './data/scanning/exports.js';
export { issues } from './data/scanning/issues.js';
export { type DemoIssue } from './data/scanning/issues/demo-issue.js';
export { scans } from './data/scanning/scans.js';
export { threats } from './data/scanning/threats.js';
export { assignments, identifiers, policy, pullRequest } from './data/scanning/triage.js';
export { type DemoCoupon, coupons, exhaustedCode } from './data/shop/coupons.js';
export { type DemoPerson, demoShopper, people } from './data/shop/people.js';
export { type DemoDepartment, type DemoProduct } from './data/shop/products/demo-product.js';
export { type ReviewText } from './data/shop/reviews/review-text.js';
export { testimonials } from './data/shop/testimonials.js';
export { named } from './named.js';
export { pictureFile } from './pictures.js';
export { demoProducts, departments, productDates } from './products.js';
export { type Random, type Weighted, between, oneOf, pick, seededRandom } from './random.js';
export { reviewTexts } from './reviews.js';
export { activitiesOf } from './scanning/activities.js';
export { demoEvents } from './scanning/demo-events.js';
export { eventTimes, timesOf } from './scanning/scan-times.js';
export { daysAfter, daysBefore } from './time.js';

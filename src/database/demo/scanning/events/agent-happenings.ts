import { between, type Weighted } from '../../random.js';
import { callAt, exchange } from './calls.js';
import { oneOf, screenshot, snippet, type Template } from './demo-event.js';
import { serviceHappenings } from './service-happenings.js';

const ideas = [
  [
    'The number of an order is counted up',
    'If the owner is not part of the query, the next number is somebody else’s.',
  ],
  [
    'The form sends more than it shows',
    'Fields that are hidden may be taken all the same: role, price and status first.',
  ],
  ['Two requests at once might both win', 'Coupons and gift cards are checked before they are written.'],
  ['The note of an order is shown to staff', 'What a customer writes there is read in another session.'],
  ['The answer differs for accounts that exist', 'By its length alone, 214 bytes against 198.'],
  ['The search is slower with a quote', 'It may reach the database as it is. A delay would show it.'],
  ['Staging trusts more than production', 'The same token verifier with a debug switch is likely.'],
  ['The old library is used for the menu', 'Its known weakness needs markup from the address.'],
] as const;

const reasoned: Template = ({ random }) => {
  const [title, description] = oneOf(random, ideas);
  return { level: 'INFO', stage: 'AGENT_REASONING', title, description, attachments: [] };
};

const weighed: Template = (scene) => {
  const [title] = oneOf(scene.random, ideas);
  const call = callAt(scene);
  return {
    level: 'DEBUG',
    stage: 'AGENT_REASONING',
    title: `Set aside: ${title.toLowerCase()}`,
    description: `${between(scene.random, 2, 9)} tries on ${call.name} were answered alike.`,
    attachments: [],
  };
};

const planned: Template = ({ random }) => {
  const steps = Array.from({ length: 3 }, () => oneOf(random, ideas)[0]);
  return {
    level: 'DEBUG',
    stage: 'AGENT_REASONING',
    title: `Plan: ${steps.length} steps`,
    description: 'What is most likely comes first.',
    attachments: [snippet('plan.md', 'markdown', steps.map((step, at) => `${at + 1}. ${step}`).join('\n'))],
  };
};

const called: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'INFO',
    stage: 'AGENT_ACTION',
    title: `Calls ${call.name} as user ${oneOf(scene.random, ['A', 'B'])}`,
    description: 'To compare the answer with that of the other user.',
    attachments: [exchange(scene, call)],
  };
};

const clicked: Template = (scene) => ({
  level: 'INFO',
  stage: 'AGENT_ACTION',
  title: `Clicks "${oneOf(scene.random, ['Save', 'Add to cart', 'Sign in', 'Apply coupon', 'Send'])}"`,
  description: 'In the browser, with the fields filled in as the plan says.',
  attachments: [screenshot(scene, 'The page right after the click')],
});

const wrote: Template = ({ random }) => ({
  level: 'DEBUG',
  stage: 'AGENT_ACTION',
  title: 'Writes a script of its own',
  description: 'It repeats one request with many values.',
  attachments: [
    snippet(
      'probe.py',
      'python',
      `for number in range(90000, ${between(random, 90_020, 90_400)}):\n    compare(get(f"/orders/{number}", user="B"))`,
    ),
  ],
});

const held: Template = ({ random }) => ({
  level: 'WARNING',
  stage: 'AGENT_ACTION',
  title: 'Action held back',
  description: `It would have ${oneOf(random, ['deleted an order', 'sent mail to a customer', 'changed a price'])}.`,
  attachments: [],
});

const stuck: Template = ({ random }) => ({
  level: 'ERROR',
  stage: 'AGENT_ACTION',
  title: `The browser did not answer for ${between(random, 31, 90)} s`,
  description: 'It was started again; the agent goes on from the last step that it wrote down.',
  attachments: [],
});

/** What happens while the agent of an automated pentest is at work. */
export const agentHappenings: readonly Weighted<Template>[] = [
  { value: reasoned, weight: 12 },
  { value: weighed, weight: 7 },
  { value: planned, weight: 4 },
  { value: called, weight: 12 },
  { value: clicked, weight: 6 },
  { value: wrote, weight: 3 },
  { value: held, weight: 1 },
  { value: stuck, weight: 0.6 },
  ...serviceHappenings.map(({ value, weight }) => ({ value, weight: weight / 2 })),
];

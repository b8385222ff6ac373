import { between, oneOf, type Weighted } from '../../../random.js';
import { callAt, exchange } from './exchanges.js';
import { screenshot, snippet, template, type Template } from './demo-event.js';
import { serviceEvents } from './service-events.js';

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

/** Events while the agent of an automated pentest is at work. */
export const agentEvents: readonly Weighted<Template>[] = [
  template({ weight: 12, level: 'INFO', stage: 'AGENT_REASONING' }, ({ random }) => {
    const [title, description] = oneOf(random, ideas);
    return { title, description };
  }),
  template({ weight: 7, level: 'DEBUG', stage: 'AGENT_REASONING' }, (scene) => {
    const [title] = oneOf(scene.random, ideas);
    const call = callAt(scene);
    return {
      title: `Set aside: ${title.toLowerCase()}`,
      description: `${between(scene.random, 2, 9)} tries on ${call.name} were answered alike.`,
    };
  }),
  template({ weight: 4, level: 'DEBUG', stage: 'AGENT_REASONING' }, ({ random }) => {
    const steps = Array.from({ length: 3 }, () => oneOf(random, ideas)[0]);
    return {
      title: `Plan: ${steps.length} steps`,
      description: 'What is most likely comes first.',
      attachments: [snippet('plan.md', 'markdown', steps.map((step, at) => `${at + 1}. ${step}`).join('\n'))],
    };
  }),
  template({ weight: 12, level: 'INFO', stage: 'AGENT_ACTION' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Calls ${call.name} as user ${oneOf(scene.random, ['A', 'B'])}`,
      description: 'To compare the answer with that of the other user.',
      attachments: [exchange(scene, call)],
    };
  }),
  template({ weight: 6, level: 'INFO', stage: 'AGENT_ACTION' }, (scene) => ({
    title: `Clicks "${oneOf(scene.random, ['Save', 'Add to cart', 'Sign in', 'Apply coupon', 'Send'])}"`,
    description: 'In the browser, with the fields filled in as the plan says.',
    attachments: [screenshot(scene, 'The page right after the click')],
  })),
  template({ weight: 3, level: 'DEBUG', stage: 'AGENT_ACTION' }, ({ random }) => ({
    title: 'Writes a script of its own',
    description: 'It repeats one request with many values.',
    attachments: [
      snippet(
        'probe.py',
        'python',
        `for number in range(90000, ${between(random, 90_020, 90_400)}):\n    compare(get(f"/orders/{number}", user="B"))`,
      ),
    ],
  })),
  template({ weight: 1, level: 'WARNING', stage: 'AGENT_ACTION' }, ({ random }) => ({
    title: 'Action held back',
    description: `It would have ${oneOf(random, ['deleted an order', 'sent mail to a customer', 'changed a price'])}.`,
  })),
  template({ weight: 0.6, level: 'ERROR', stage: 'AGENT_ACTION' }, ({ random }) => ({
    title: `The browser did not answer for ${between(random, 31, 90)} s`,
    description: 'It was started again; the agent goes on from the last step that it wrote down.',
  })),
  ...serviceEvents.map(({ value, weight }) => ({ value, weight: weight / 2 })),
];

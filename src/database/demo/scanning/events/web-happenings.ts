import { between, type Weighted } from '../../random.js';
import { callAt, exchange, pages, unanswered } from './calls.js';
import { oneOf, screenshot, snippet, type Template } from './demo-event.js';

const crawledPage: Template = (scene) => {
  const { path, title } = oneOf(scene.random, pages);
  return {
    level: 'INFO',
    stage: 'EXECUTION',
    title: `Page visited: ${path}`,
    description: `"${title}" has ${between(scene.random, 4, 60)} links, ${between(scene.random, 0, 5)} of them new.`,
    attachments: [screenshot(scene, title)],
  };
};

const foundForm: Template = ({ random }) => {
  const { path } = oneOf(random, pages);
  const field = oneOf(random, ['email', 'q', 'quantity', 'note', 'coupon']);
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Form found on ${path}`,
    description: `Its field ${field} is tried next.`,
    attachments: [
      snippet('form.html', 'html', `<form method="post"><input name="${field}"><button>OK</button></form>`),
    ],
  };
};

const loadedScript: Template = ({ random }) => {
  const name = `${oneOf(random, ['main', 'vendor', 'checkout', 'account'])}.${between(random, 1_000, 9_999)}.js`;
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Script read: ${name}`,
    description: `${between(random, 12, 640)} kB, ${between(random, 0, 14)} addresses found in it.`,
    attachments: [],
  };
};

const requested: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'DEBUG',
    stage: 'EXECUTION',
    title: `Request sent: ${call.name}`,
    description: 'Headers and cookies of the answer are looked at.',
    attachments: [exchange(scene, call)],
  };
};

const passed: Template = ({ random }) => {
  const { path } = oneOf(random, pages);
  const test = oneOf(random, ['reflected_xss', 'csrf', 'open_redirect', 'security_headers', 'cookie_flags']);
  return {
    level: 'INFO',
    stage: 'EXECUTION',
    title: `Test ${test} passed on ${path}`,
    description: `${between(random, 2, 40)} inputs tried in the browser.`,
    attachments: [],
  };
};

const dialog: Template = (scene) => ({
  level: 'WARNING',
  stage: 'EXECUTION',
  title: 'A dialog covers the page',
  description: 'It asks about cookies: declined, so that the page can be used.',
  attachments: [screenshot(scene, 'The page behind a dialog about cookies')],
});

const lostPage: Template = (scene) => {
  const call = callAt(scene);
  return {
    level: 'ERROR',
    stage: 'EXECUTION',
    title: `Page cannot be loaded: ${call.path}`,
    description: 'The browser gave up after 10 s. The page is left out.',
    attachments: [unanswered(scene, call)],
  };
};

const signedIn: Template = (scene) => ({
  level: 'INFO',
  stage: 'CONFIGURATION',
  title: 'Signed in again',
  description: 'The session had ended; the recorded login was played once more.',
  attachments: [screenshot(scene, 'The account page after the login')],
});

/** What happens while a browser goes through the pages. */
export const webHappenings: readonly Weighted<Template>[] = [
  { value: crawledPage, weight: 8 },
  { value: foundForm, weight: 3 },
  { value: loadedScript, weight: 3 },
  { value: requested, weight: 5 },
  { value: passed, weight: 6 },
  { value: dialog, weight: 0.8 },
  { value: lostPage, weight: 0.5 },
  { value: signedIn, weight: 0.7 },
];

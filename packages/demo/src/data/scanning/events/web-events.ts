import { between, oneOf, type Weighted } from '../../../random.js';
import { callAt, exchange, unanswered } from './exchanges.js';
import { screenshot, snippet, template, type Template } from './demo-event.js';
import { pages } from '../calls.js';

/** Events while a browser goes through the pages. */
export const webEvents: readonly Weighted<Template>[] = [
  template({ weight: 8, level: 'INFO' }, (scene) => {
    const { path, title } = oneOf(scene.random, pages);
    return {
      title: `Page visited: ${path}`,
      description: `"${title}" has ${between(scene.random, 4, 60)} links, ${between(scene.random, 0, 5)} of them new.`,
      attachments: [screenshot(scene, title)],
    };
  }),
  template({ weight: 3, level: 'DEBUG' }, ({ random }) => {
    const { path } = oneOf(random, pages);
    const field = oneOf(random, ['email', 'q', 'quantity', 'note', 'coupon']);
    return {
      title: `Form found on ${path}`,
      description: `Its field ${field} is tried next.`,
      attachments: [
        snippet('form.html', 'html', `<form method="post"><input name="${field}"><button>OK</button></form>`),
      ],
    };
  }),
  template({ weight: 3, level: 'DEBUG' }, ({ random }) => {
    const name = `${oneOf(random, ['main', 'vendor', 'checkout', 'account'])}.${between(random, 1_000, 9_999)}.js`;
    return {
      title: `Script read: ${name}`,
      description: `${between(random, 12, 640)} kB, ${between(random, 0, 14)} addresses found in it.`,
    };
  }),
  template({ weight: 5, level: 'DEBUG' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Request sent: ${call.name}`,
      description: 'Headers and cookies of the answer are looked at.',
      attachments: [exchange(scene, call)],
    };
  }),
  template({ weight: 6, level: 'INFO' }, ({ random }) => {
    const { path } = oneOf(random, pages);
    const test = oneOf(random, ['reflected_xss', 'csrf', 'open_redirect', 'security_headers', 'cookie_flags']);
    return {
      title: `Test ${test} passed on ${path}`,
      description: `${between(random, 2, 40)} inputs tried in the browser.`,
    };
  }),
  template({ weight: 0.8, level: 'WARNING' }, (scene) => ({
    title: 'A dialog covers the page',
    description: 'It asks about cookies: declined, so that the page can be used.',
    attachments: [screenshot(scene, 'The page behind a dialog about cookies')],
  })),
  template({ weight: 0.5, level: 'ERROR' }, (scene) => {
    const call = callAt(scene);
    return {
      title: `Page cannot be loaded: ${call.path}`,
      description: 'The browser gave up after 10 s. The page is left out.',
      attachments: [unanswered(scene, call)],
    };
  }),
  template({ weight: 0.7, level: 'INFO', stage: 'CONFIGURATION' }, (scene) => ({
    title: 'Signed in again',
    description: 'The session had ended; the recorded login was played once more.',
    attachments: [screenshot(scene, 'The account page after the login')],
  })),
];

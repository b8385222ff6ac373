import { RuleBroken } from '../../platform/errors/errors.js';

export function linkEnded(): RuleBroken {
  return new RuleBroken('The link was used before or has expired: ask for another one', 'link_ended');
}

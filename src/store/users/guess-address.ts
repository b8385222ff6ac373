import ipaddr from 'ipaddr.js';

const groupsOfSubscriber = 4;

/** What guesses are counted under for an address of the internet: the address, or the /64 that one IPv6 subscriber has. */
export function guessAddressOf(ip: string | undefined): string {
  const text = ip?.split('%')[0] ?? '';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.range() === 'loopback') return 'loopback';
  if (address instanceof ipaddr.IPv6) return `${address.parts.slice(0, groupsOfSubscriber).join(':')}::/64`;
  return address.toString();
}

/** Whether guesses are counted for the address itself, over all accounts. */
export function isCounted(address: string): boolean {
  return address !== 'loopback';
}

const longestAgent = 500;
const longestProduct = 40;
const unknownDevice = 'Unknown device';

/** The first match counts: browsers claim to be each other. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh|OS)?\b|\bDarwin\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

function named(agent: string, names: [RegExp, string][]): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}

/** A device in words, by its `User-Agent`: the browser, else the program that the header begins with (RFC 9110, 10.1.5). */
export function nameOfDevice(userAgent: string | undefined): string {
  const agent = (userAgent ?? '').slice(0, longestAgent);
  const product = /^[\w.!#$%&'*+^`|~-]+/.exec(agent)?.[0].slice(0, longestProduct);
  const program = named(agent, browsers) ?? (product === 'Mozilla' ? undefined : product);
  const system = named(agent, systems);
  if (program !== undefined) return system === undefined ? program : `${program} on ${system}`;
  return system ?? unknownDevice;
}

/** The colours that the demo's products come in, each with the tint that its drawing takes. */
export const palette = {
  White: '#f6f4ee',
  Cream: '#f0e4cc',
  Beige: '#d8c4a2',
  Natural: '#cfa672',
  Tan: '#c2925c',
  Brown: '#80563a',
  Black: '#34373e',
  Charcoal: '#50555f',
  Grey: '#9ba1a9',
  Silver: '#c2c9d0',
  Clear: '#c9e2ea',
  Navy: '#2f4470',
  Blue: '#4178b8',
  'Light Blue': '#8dbde0',
  Teal: '#2f8c8c',
  Green: '#4d8d5a',
  Sage: '#9fb594',
  Olive: '#767a42',
  Yellow: '#f1c647',
  Mustard: '#d3a132',
  Orange: '#e6823c',
  Terracotta: '#c76a44',
  Copper: '#bb7850',
  Red: '#c94443',
  Burgundy: '#832e40',
  Pink: '#e79db1',
  Purple: '#7c5ea8',
} as const;

export type DemoColor = keyof typeof palette;

/** The colours of one drawing: the shades of its tint, its background, and the materials, which are not tinted. */
export interface Tones {
  base: string;
  light: string;
  dark: string;
  deep: string;
  backdrop: string;
  disc: string;
  shadow: string;
  paper: string;
  ink: string;
  metal: string;
  metalDark: string;
  wood: string;
  woodDark: string;
  leaf: string;
  leafDark: string;
}

const materials = {
  paper: '#fbf8f1',
  ink: '#3a414e',
  metal: '#bac1c9',
  metalDark: '#8d959f',
  wood: '#cd9f6b',
  woodDark: '#a97c4c',
  leaf: '#62a06a',
  leafDark: '#447c50',
};

/** The tones of a drawing in this colour. A pale one gets a deeper background, so that it stands out. */
export function tonesOf(color: DemoColor): Tones {
  const base = palette[color];
  const pale = brightness(base) > 0.78;
  const backdrop = pale ? blend(base, '#b9c6cf', 0.8) : blend(base, '#fbf7f0', 0.86);
  return {
    ...materials,
    base,
    light: blend(base, '#ffffff', pale ? 0.6 : 0.22),
    dark: blend(base, '#1d2330', pale ? 0.14 : 0.2),
    deep: blend(base, '#161b26', pale ? 0.34 : 0.45),
    backdrop,
    disc: pale ? blend(backdrop, '#ffffff', 0.3) : blend(base, '#fdfaf5', 0.74),
    shadow: blend(backdrop, '#1d2330', 0.45),
  };
}

/** The colour that lies `share` of the way from one to the other. */
export function blend(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + ((target[index] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

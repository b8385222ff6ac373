export interface Line {
  label: string;
  /** A CSS colour of the theme, such as `--accent`. */
  colour: string;
  values: (number | null)[];
  /** The values that the tooltip names, where the drawn ones are sums: each part of a stack by itself. */
  told?: number[];
  kind?: 'line' | 'bars';
  isDashed?: boolean;
}

export interface ChartProps {
  /** Describes the chart to those who do not see it. */
  label: string;
  times: Date[];
  lines: Line[];
  format: (value: number) => string;
  /** Each time is the start of a UTC day, which is the same day for readers in every zone. */
  isDaily?: boolean;
  /** Called when somebody has brushed a period. */
  onselect?: (from: Date, to: Date) => void;
  height?: number;
  /** A period to mark as chosen. */
  marked?: [Date, Date] | null;
}

export interface Line {
  label: string;
  /** A CSS color of the theme, such as `--accent`. */
  color: string;
  values: (number | null)[];
  /** The values that the tooltip names when sums are drawn: each part of a stack by itself. */
  told?: number[];
  kind?: 'line' | 'bars';
  isDashed?: boolean;
}

export interface ChartProps {
  /** Describes the chart to screen readers. */
  label: string;
  times: Date[];
  lines: Line[];
  format: (value: number) => string;
  /** How the axis names its ticks, if not by `format`. */
  axisFormat?: (value: number) => string;
  /** Each time is the start of a UTC day, shown as the same day in every time zone. */
  isDaily?: boolean;
  /** Called when somebody has brushed a period. */
  onselect?: (from: Date, to: Date) => void;
  height?: number;
  /** A period to mark as chosen. */
  marked?: [Date, Date] | null;
}

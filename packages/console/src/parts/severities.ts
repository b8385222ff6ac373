export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof severities)[number];
export type SeverityCounts = Record<Severity, number>;

/** A severity as a shape and a color, so that it can be read without the color. */
export const severityLooks: Record<Severity, [shape: string, colour: string]> = {
  CRITICAL: ['◆', 'text-critical'],
  HIGH: ['▲', 'text-high'],
  MEDIUM: ['■', 'text-medium'],
  LOW: ['▼', 'text-low'],
  INFO: ['●', 'text-info'],
};

export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof severities)[number];
export type SeverityCounts = Record<Severity, number>;

/** A severity by shape and colour, so that it reads without the colour too. */
export const severityLooks: Record<Severity, [shape: string, colour: string]> = {
  CRITICAL: ['◆', 'text-critical'],
  HIGH: ['▲', 'text-high'],
  MEDIUM: ['■', 'text-medium'],
  LOW: ['▼', 'text-low'],
  INFO: ['●', 'text-info'],
};

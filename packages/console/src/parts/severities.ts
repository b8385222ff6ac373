import { IssueSeverity } from '@store-service/sdk';

/** From the worst down. */
export const severities = Object.values(IssueSeverity);
export type SeverityCounts = Record<IssueSeverity, number>;

/** A severity as a shape and a color, so that it can be read without the color. */
export const severityLooks: Record<IssueSeverity, [shape: string, color: string]> = {
  CRITICAL: ['◆', 'text-critical'],
  HIGH: ['▲', 'text-high'],
  MEDIUM: ['■', 'text-medium'],
  LOW: ['▼', 'text-low'],
  INFO: ['●', 'text-info'],
};

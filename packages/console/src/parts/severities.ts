import { IssueSeverity } from '@store-service/sdk';
import type { Shape } from './shape.svelte';

/** From the worst down. */
export const severities = Object.values(IssueSeverity);
export type SeverityCounts = Record<IssueSeverity, number>;

/** A severity as a shape and a color, so that it can be read without the color. */
export const severityLooks: Record<IssueSeverity, [shape: Shape, color: string]> = {
  CRITICAL: ['diamond', 'text-critical'],
  HIGH: ['up', 'text-high'],
  MEDIUM: ['square', 'text-medium'],
  LOW: ['down', 'text-low'],
  INFO: ['circle', 'text-info'],
};

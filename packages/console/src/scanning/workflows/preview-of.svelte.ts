import type { WorkflowPreview } from '@store-service/sdk';
import { createQuery, keepPreviousData } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import { api, ask } from '../../api/service.js';
import { session } from '../../api/session.svelte.js';
import { texts } from '../../texts/texts.js';
import { bodyOf, type Draft, roots } from './workflow-draft.js';

const waitMs = 600;

/** What a run of the draft would send now, and the credentials in it: requested after a moment without changes. */
export function previewOf(draft: () => Draft) {
  const bodyNow = () => bodyOf($state.snapshot(draft()));
  let asked = $state.raw(untrack(bodyNow));
  $effect(() => {
    const next = bodyNow();
    const timer = setTimeout(() => (asked = next), waitMs);
    return () => clearTimeout(timer);
  });

  /** What the preview depends on: neither addresses nor secrets leave the form before it is saved. */
  const previewed = $derived({
    trigger: asked.trigger,
    conditions: asked.conditions,
    ...(asked.actions.some(({ type }) => type === 'NOTIFY') && { name: asked.name }),
    actions: asked.actions.map(({ type, integrationKind, enabled, parameters }) => ({
      type,
      integrationKind,
      enabled,
      parameters: {
        resources: parameters.resources,
        template: parameters.template,
        perIssue: parameters.perIssue,
      },
    })),
  });
  return createQuery(() => ({
    queryKey: ['workflow-preview', session.organization?.id, previewed],
    queryFn: ({ signal }) => ask(api.workflows.previewDraft({ body: previewed, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  }));
}

export type PreviewQuery = ReturnType<typeof previewOf>;

/** `1 issue, 3 assets`. */
export function listOf(counts: Record<string, unknown>): string {
  const found = roots
    .map((root) => ({ count: Number(counts[root] ?? 0), write: texts.workflows.counts[root] }))
    .flatMap(({ count, write }) => (count > 0 ? [write(count)] : []));
  return found.join(', ') || texts.workflows.nothing;
}

/** Credentials grouped by place within things of their kind; a single one by its exact place. */
export function kindsOf(paths: readonly string[]): { path: string; count: number }[] {
  const byKind = Map.groupBy(paths, (path) => path.replaceAll(/\[\d+\]/g, '[…]'));
  return [...byKind].map(([kind, places]) => ({ path: places[1] ? kind : (places[0] ?? kind), count: places.length }));
}

/** The number of credentials in the payload variant that is sent. */
export function credentialsSent({ shape, credentialCount }: { shape: string; credentialCount: number }): number {
  return shape === 'default' ? credentialCount : 0;
}

/** Whether the draft only tells people: then there is no payload to show. */
export const onlyNotifies = ({ actions, notifications }: WorkflowPreview): boolean =>
  actions.length === 0 && notifications.length > 0;

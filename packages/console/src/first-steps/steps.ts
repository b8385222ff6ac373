import type { ApiKey } from '@store-service/sdk';
import { api, ask, askPage } from '../api/service.js';
import { can, session } from '../api/session.svelte.js';
import { hrefOf } from '../router.svelte.js';
import { newOrganizationPath } from '../screens.js';
import { texts } from '../texts/texts.js';

/** Something to do on a new server. */
export interface Step {
  title: string;
  hint: string;
  href: string;
  isDone: boolean;
}

/** The part of the service that steps set up. */
export type StepsOf = 'shop' | 'scanning';

async function shopSteps(userId: string): Promise<Step[]> {
  const one = { size: 1 };
  const ofUser = { subject_type: 'user', subject_id: userId } as const;
  const [changed, reset, totp, shop, stats, admins] = await Promise.all([
    ask(api.adminAudit.list({ query: { ...one, ...ofUser, action: 'user.password_changed' } })),
    ask(api.adminAudit.list({ query: { ...one, ...ofUser, action: 'user.password_reset' } })),
    ask(api.totp.status()),
    ask(api.adminShop.get()),
    ask(api.admin.stats()),
    askPage(api.adminUsers.list({ query: { role: 'admin', limit: 1 } })),
  ]);
  return [
    {
      title: texts.firstSteps.password,
      hint: texts.firstSteps.theOneFromTheStart,
      href: hrefOf('account'),
      isDone: changed.data.length + reset.data.length > 0,
    },
    {
      title: texts.firstSteps.twoFactor,
      hint: texts.firstSteps.soThatThePasswordAlone,
      href: hrefOf('account'),
      isDone: totp.enabled,
    },
    {
      title: texts.firstSteps.shopName,
      hint: texts.firstSteps.customersReadItInMails,
      href: hrefOf('shop/settings'),
      isDone: shop.name !== null,
    },
    {
      title: texts.firstSteps.firstProduct,
      hint: texts.firstSteps.byHandOrFromACsv,
      href: hrefOf('shop/products', { new: true }),
      isDone: stats.total_products > 0,
    },
    {
      title: texts.firstSteps.colleague,
      hint: texts.firstSteps.theySignUpInTheShop,
      href: hrefOf('shop/customers', { new: true }),
      isDone: admins.total > 1,
    },
    ...organizationStep(),
  ];
}

function organizationStep(): Step[] {
  return [
    {
      title: texts.firstSteps.organization,
      hint: texts.firstSteps.whatScansFindBelongsToIt,
      href: hrefOf(session.organization ? 'scanning/organization/general' : newOrganizationPath),
      isDone: session.organizations.length > 0,
    },
  ];
}

async function scanningSteps(): Promise<Step[]> {
  if (!session.organization) return [...organizationStep(), ...laterSteps(false, [])];
  const organizationId = session.organization.id;
  const [scans, keys] = await Promise.all([
    ask(api.scans.list({ query: { size: 1 } })),
    can('organization-admin')
      ? ask(api.apiKeys.list({ path: { organizationId }, query: { size: 100 } }))
      : Promise.resolve(null),
  ]);
  return [...organizationStep(), ...laterSteps(scans.data.length > 0, keys?.data ?? null)];
}

/** Steps within an organization; keys are for its admins, and they alone see what a pipeline has done with one. */
function laterSteps(isImported: boolean, keys: readonly Pick<ApiKey, 'lastUsedAt'>[] | null): Step[] {
  const path = (inside: string) => (session.organization ? inside : newOrganizationPath);
  return [
    {
      title: texts.firstSteps.report,
      hint: texts.firstSteps.sarifZapNucleiAndOthers,
      href: hrefOf(path('scanning/scans'), session.organization ? { import: true } : {}),
      isDone: isImported,
    },
    ...(keys === null
      ? []
      : [
          {
            title: texts.firstSteps.key,
            hint: texts.firstSteps.withItAPipelineImports,
            href: hrefOf(
              path('scanning/organization/api-keys'),
              session.organization ? { new: true, role: 'importer' } : {},
            ),
            isDone: keys.length > 0,
          },
          {
            title: texts.firstSteps.gate,
            hint: texts.firstSteps.itStopsBuildsWithSeriousIssues,
            href: hrefOf(path('scanning/organization/gate')),
            isDone: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
          },
        ]),
  ];
}

/** The steps with what the service knows of them. */
export const readSteps = (of: StepsOf): Promise<Step[]> =>
  of === 'shop' ? shopSteps(session.user?.id ?? '') : scanningSteps();

/** Controllers whose operations belong to a group of another name; each other's group is named after itself. */
const groups: Record<string, string> = {
  Catalogue: 'products',
  Accounts: 'users',
  Refresh: 'auth',
  AdminDashboard: 'admin',
  AdminProductFiles: 'adminProducts',
  OrganizationAudit: 'audit',
  IdLookups: 'ids',
  Reports: 'scans',
  IssueAppends: 'issues',
  ScanEvents: 'events',
  EventAppends: 'events',
  EventStream: 'events',
  Preview: 'workflows',
  TestSends: 'workflows',
};

/** The operationId, from which clients make their calls: `products_list` becomes `store.products.list()`. */
export function operationName(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${groups[name] ?? name.charAt(0).toLowerCase() + name.slice(1)}_${method}`;
}

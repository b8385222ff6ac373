import { exportSection } from '../../platform/account-export/export-section.statements.js';

/** What organizations hold about an account. What it did with issues is told here too. */
export const organizationSections = [
  exportSection('memberships', {
    columns: ['organization_members.user_id'],
    rows: 'organization_members m JOIN organizations o ON o.id = organization_id WHERE user_id = $1',
    at: 'm.created_at',
    id: 'organization_id',
    fields: 'organization_id, o.name, m.role, m.created_at',
  }),
  exportSection('received_invitations', {
    columns: ['organization_invitations.user_id'],
    rows: 'organization_invitations i JOIN organizations o ON o.id = organization_id WHERE user_id = $1',
    at: 'i.created_at',
    id: 'i.id',
    fields: 'i.id, organization_id, o.name, i.role, i.created_at, i.expires_at',
  }),
  exportSection('sent_invitations', {
    columns: ['organization_invitations.invited_by'],
    rows: 'organization_invitations WHERE invited_by = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, organization_id, role, created_at, expires_at',
  }),
  exportSection('organizations', {
    columns: ['organizations.created_by'],
    rows: 'organizations WHERE created_by = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, name, created_at',
  }),
  exportSection('api_keys', {
    columns: ['api_keys.created_by'],
    rows: 'api_keys WHERE created_by = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, organization_id, name, role, prefix, created_at, expires_at, last_used_at, revoked_at',
  }),
  exportSection('default_assignments', {
    columns: ['issue_default_assignees.user_id'],
    rows: 'issue_default_assignees d JOIN tags t ON t.id = d.tag_id WHERE d.user_id = $1',
    at: 't.created_at',
    id: 'tag_id',
    fields: 'd.organization_id, tag_id, t.name',
  }),
  exportSection('assigned_issues', {
    // No foreign key: issues are written by the hundred thousand.
    columns: [],
    rows: 'issues WHERE assignee_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'organization_id, id, name, severity, status, due_at',
  }),
  exportSection('accepted_issues', {
    columns: [],
    rows: 'issues WHERE accepted_by = $1',
    at: 'created_at',
    id: 'id',
    fields: 'organization_id, id, name, accepted_until, accepted_reason',
  }),
  exportSection('issue_views', {
    columns: ['issue_views.owner_id'],
    rows: 'issue_views WHERE owner_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'organization_id, id, name, shared, filter, sort, created_at, updated_at',
  }),
  exportSection('issue_activities', {
    columns: ['issue_activities.actor_user_id'],
    rows: 'issue_activities WHERE actor_user_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'organization_id, issue_id, kind, from_value, to_value, comment, created_at',
  }),
];

import {
  ApiKeyRole,
  AssetClass,
  AttachmentType,
  DeliveryStatus,
  EventLevel,
  EventStage,
  IssueCategory,
  IssueSeverity,
  IssueStatus,
  MemberRole,
  OrderQueue,
  OrderStatus,
  ReportFormat,
  ScanKind,
  ScanStatus,
} from '@store-service/sdk';

export const levels = Object.values(EventLevel);
export const stages = Object.values(EventStage);
export const attachmentTypes = Object.values(AttachmentType);
/** From the worst down. */
export const severities = Object.values(IssueSeverity);
/** The values for a severity: TOOL gives it back to the scanner. */
export const newSeverities = [...severities, 'TOOL'] as const;
export const categories = Object.values(IssueCategory);
export const issueStatuses = Object.values(IssueStatus);
export const scanStatuses = Object.values(ScanStatus);
export const scanKinds = Object.values(ScanKind);
export const assetClasses = Object.values(AssetClass);
export const branchStates = ['OPEN', 'CLOSED'] as const;
export const deliveryStatuses = Object.values(DeliveryStatus);
export const roles = Object.values(MemberRole);
export const keyRoles = Object.values(ApiKeyRole);
export const reportFormats = Object.values(ReportFormat);

export const exportFormats = ['csv', 'jsonl', 'sarif', 'cyclonedx-vex', 'html'] as const;
export const issueSorts = ['created', 'severity', 'last-seen', 'due', 'epss'] as const;
export const issueGroupings = ['rule', 'asset', 'severity'] as const;

export const detailFormats = ['table', 'json'] as const;
export const listFormats = ['table', 'json', 'jsonl', 'csv'] as const;
export const orderQueues = Object.values(OrderQueue);
export const orderStatuses = Object.values(OrderStatus);
/** The statuses of an order that has left the shop. */
export const shippedStatuses = [OrderStatus.SHIPPED, OrderStatus.DELIVERED, OrderStatus.COMPLETED];

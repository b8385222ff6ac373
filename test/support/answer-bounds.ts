/** What bounds a list in an answer, where neither a page nor `maxItems` does: so many entries, as a file of `src` says. */
export interface AnswerBound {
  most: number;
  file: string;
}

const bound = (most: number, file: string): AnswerBound => ({ most, file: `src/${file}` });
const cart = bound(500, 'store/cart/cart.dto.ts');
const facetValues = bound(100, 'store/catalogue/listings.statements.ts');
const productImages = bound(20, 'store/catalogue/admin-products.dto.ts');
const productCategories = bound(10, 'store/catalogue/admin-products.dto.ts');
const namedFindings = bound(1_000, 'scanning/reports/spooled-findings.ts');
const outcomes = 'scanning/reports/import-outcomes.service.ts';
const ofFinding = (most: number): AnswerBound => bound(most, 'scanning/reports/sarif-details.ts');
const maxActions = bound(10, 'scanning/workflows/workflows.dto.ts');

/** By the shape and its field, or by the operation where the list is the whole answer. */
export const answerBounds: Record<string, AnswerBound> = {
  'GET /api/v1/users/me/sessions': bound(50, 'store/sessions/sessions.statements.ts'),
  'GET /api/v1/users/me/provider-links': bound(20, 'store/oidc/oidc.repository.ts'),
  'TOTPEnabled.recovery_codes': bound(10, 'store/totp/recovery-codes.ts'),
  'TOTPRecoveryCodes.recovery_codes': bound(10, 'store/totp/recovery-codes.ts'),
  'GET /api/v1/users/me/addresses': bound(10, 'config/quotas.ts'),
  'Product.images': productImages,
  'Product.categories': productCategories,
  'RelatedProducts.products': bound(8, 'store/catalogue/listings.service.ts'),
  'ProductFacets.categories': facetValues,
  'ProductFacets.colors': facetValues,
  'ProductFacets.sizes': facetValues,
  'ProductFacets.materials': facetValues,
  'ProductBulkResult.missing': bound(500, 'store/catalogue/product-bulk.dto.ts'),
  'Categories.categories': bound(500, 'store/catalogue/categories.service.ts'),
  'Category.children': bound(500, 'store/catalogue/categories.service.ts'),
  'ProductDetail.images': productImages,
  'ProductDetail.categories': productCategories,
  'ProductDetail.variants': bound(100, 'store/catalogue/product-columns.statements.ts'),
  'Cart.items': cart,
  'CartMerge.lines': cart,
  'Order.items': cart,
  'AdminOrder.items': cart,
  'Quote.lines': cart,
  'GET /api/v1/orders/coupons': bound(1_000, 'store/coupons/coupons.statements.ts'),
  'Series.points': bound(1_000, 'store/admin/dashboard.service.ts'),
  'GET /api/v1/admin/stats/orders-by-status': bound(1_000, 'store/admin/figures.repository.ts'),
  'ProductImport.refused': bound(200, 'store/catalogue/product-import-plan.ts'),
  'ProductImport.changes': bound(200, 'store/catalogue/product-import-plan.ts'),
  'OrderMoves.results': bound(500, 'store/orders/orders.dto.ts'),
  'OrderTimeline.events': bound(500, 'store/orders/order-timeline.service.ts'),
  'StoreEventPage.data': bound(500, 'store/events/store-events.dto.ts'),
  'GET /api/v1/admin/webhooks': bound(50, 'config/quotas.ts'),
  'WebhookDelivery.attempts': bound(50, 'platform/delivery/deliveries.statements.ts'),
  'OrderPayments.payments': bound(500, 'store/payments/payments.repository.ts'),
  'OrderPayments.refunds': bound(500, 'store/payments/payments.repository.ts'),
  'Refund.lines': bound(1_000, 'store/payments/payments.dto.ts'),
  // One for each payment of an order.
  'StartedRefund.refunds': bound(500, 'store/payments/payments.repository.ts'),
  'Issue.branches': bound(100, 'scanning/issues/issues.repository.ts'),
  'IdCandidates.data': bound(10, 'scanning/id-lookups/id-lookups.service.ts'),
  'AssetHost.records': bound(1_000, 'scanning/assets/asset-details.dto.ts'),
  'Asset.tags': bound(100, 'scanning/tags/tags.dto.ts'),
  'IssueAsset.tags': bound(100, 'scanning/tags/tags.dto.ts'),
  'ImportResult.skipped': namedFindings,
  'ImportResult.cut': namedFindings,
  'ImportResult.assetUris': bound(1_000, 'scanning/reports/report-writer.service.ts'),
  'ImportResult.byRule': bound(1_000, outcomes),
  'ImportResult.issues': bound(200, outcomes),
  'ImportResult.tools': bound(20, 'scanning/reports/report-finding.ts'),
  'ImportResult.notKept': bound(200, 'scanning/reports/report-remarks.ts'),
  'ImportResult.absolutePaths': bound(100, 'scanning/reports/report-remarks.ts'),
  'ToolOutcome.comparedWith': bound(100, outcomes),
  // One for each action.
  'WorkflowRun.deliveries': maxActions,
  // All that an issue says of its finding is at most 96 KiB beside.
  'Issue.identifiers': bound(100, 'scanning/reports/report-details.ts'),
  'Issue.locations': ofFinding(20),
  // Beside the attachments of an event.
  'Issue.evidence': bound(96, 'scanning/reports/report-details.ts'),
  'IssueEvidence.steps': ofFinding(100),
  'Issue.fixes': ofFinding(5),
  'IssueFix.changes': ofFinding(20),
  'Issue.suppressions': ofFinding(20),
  'Issue.tags': ofFinding(100),
  'IssueRule.tags': bound(100, 'scanning/reports/sarif-rules.ts'),
  'IssueRule.references': bound(100, 'scanning/reports/nuclei-details.ts'),
  'ScanIssueGroup.issues': bound(100, 'scanning/reports/scan-issues.service.ts'),
  'IssueAppendResult.issues': bound(10_000, 'scanning/issues/issue-append-body.ts'),
  'IssuesUpdateResult.results': bound(500, 'scanning/issues/issue-triage.dto.ts'),
  'IssuesSummary.days': bound(400, 'scanning/issues/issue-summary.service.ts'),
  'Issue.targets': bound(100, 'scanning/issues/issues.repository.ts'),
  'ScanEventSummary.attachments': bound(20, 'scanning/scan-events/scan-event-append.dto.ts'),
  'ScanEvent.attachments': bound(20, 'scanning/scan-events/scan-event-append.dto.ts'),
  'EventArrivals.scans': bound(1_000, 'scanning/scan-events/scan-changes.repository.ts'),
  'EventHistogram.buckets': bound(1_000, 'scanning/scan-events/scan-events.service.ts'),
  'ListedWorkflow.actions': maxActions,
  'Workflow.actions': maxActions,
  'WebhookParametersRead.headers': bound(50, 'scanning/workflows/workflows.dto.ts'),
  'Delivery.attempts': bound(50, 'platform/delivery/deliveries.statements.ts'),
  'WorkflowPreview.actions': maxActions,
  'WorkflowPreview.notifications': maxActions,
  'PreviewedNotice.messages': bound(3, 'scanning/notifications/notices.service.ts'),
  'WorkflowPreview.credentials': bound(1_000, 'scanning/webhook-export/preview-sheet.ts'),
  'TestSend.results': maxActions,
};

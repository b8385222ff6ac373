/** Each column is one row's id, found by an index, or null if there is no such row. Names are those of `DemoName`. */
export const findValues = `
  WITH shopper AS (SELECT id FROM users WHERE username = $1 AND deleted_at IS NULL),
  company AS (SELECT id FROM organizations WHERE name = $2 ORDER BY created_at LIMIT 1),
  action AS (
    SELECT workflow_actions.id, workflow_id FROM workflow_actions JOIN workflows ON workflows.id = workflow_id
     WHERE organization_id = (SELECT id FROM company) ORDER BY workflow_actions.id LIMIT 1
  ),
  webhook AS (SELECT id FROM store_webhooks WHERE enabled ORDER BY created_at LIMIT 1),
  product AS (SELECT id FROM products WHERE deleted_at IS NULL AND stock >= 10 ORDER BY id LIMIT 1)
  SELECT
    (SELECT id FROM product) AS product,
    (SELECT slug FROM products WHERE id = (SELECT id FROM product)) AS "productSlug",
    (SELECT id FROM products WHERE deleted_at IS NULL AND NOT EXISTS (
       SELECT FROM reviews WHERE product_id = products.id AND user_id = (SELECT id FROM shopper)
     ) ORDER BY id LIMIT 1) AS "reviewableProduct",
    (SELECT id FROM orders WHERE user_id = (SELECT id FROM shopper) ORDER BY created_at DESC, id DESC LIMIT 1) AS order,
    (SELECT id FROM orders WHERE user_id = (SELECT id FROM shopper) AND status = 'pending'
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "pendingOrder",
    (SELECT id FROM orders WHERE status IN ('paid', 'processing') ORDER BY created_at DESC, id DESC LIMIT 1)
      AS "unshippedOrder",
    (SELECT min(id) FROM order_items WHERE order_id = (
       SELECT id FROM orders WHERE status IN ('paid', 'processing') ORDER BY created_at DESC, id DESC LIMIT 1))
      AS "orderItem",
    (SELECT id FROM orders WHERE status = 'shipped' ORDER BY created_at DESC, id DESC LIMIT 1) AS "shippedOrder",
    (SELECT min(cart_items.id) FROM cart_items JOIN carts ON carts.id = cart_id
      WHERE user_id = (SELECT id FROM shopper)) AS "cartLine",
    (SELECT id FROM user_addresses WHERE user_id = (SELECT id FROM shopper) AND is_default) AS address,
    (SELECT max(id) FROM coupons) AS coupon,
    (SELECT max(id) FROM testimonials) AS testimonial,
    (SELECT max(id) FROM reviews WHERE user_id = (SELECT id FROM shopper)) AS review,
    (SELECT id FROM shopper) AS shopper,
    (SELECT id FROM users WHERE deleted_at IS NULL AND role = 'user' AND can_be_deleted AND NOT EXISTS (
       SELECT FROM organization_members WHERE user_id = users.id
     ) ORDER BY created_at DESC LIMIT 1) AS "otherUser",
    (SELECT id FROM company) AS organization,
    (SELECT user_id FROM organization_members WHERE organization_id = (SELECT id FROM company) AND role <> 'admin'
      ORDER BY created_at LIMIT 1) AS member,
    (SELECT id FROM organization_invitations WHERE organization_id = (SELECT id FROM company) AND expires_at > now()
      ORDER BY created_at DESC, id DESC LIMIT 1) AS invitation,
    (SELECT id FROM organization_invitations WHERE user_id = (SELECT id FROM shopper) AND expires_at > now()
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "receivedInvitation",
    (SELECT id FROM api_keys WHERE organization_id = (SELECT id FROM company) AND revoked_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "apiKey",
    (SELECT id FROM profiles WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS profile,
    (SELECT id FROM profiles WHERE organization_id = (SELECT id FROM company)
        AND NOT EXISTS (SELECT FROM scans WHERE application_id = profiles.id)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "unusedProfile",
    (SELECT id FROM tags WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS tag,
    (SELECT id FROM issue_views WHERE organization_id = (SELECT id FROM company) AND shared
      ORDER BY created_at DESC, id DESC LIMIT 1) AS view,
    (SELECT id FROM locations WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS location,
    (SELECT id FROM integrations WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS integration,
    (SELECT id FROM assets WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS asset,
    (SELECT id FROM assets WHERE organization_id = (SELECT id FROM company)
        AND NOT EXISTS (SELECT FROM scan_assets WHERE asset_id = assets.id)
        AND NOT EXISTS (SELECT FROM issues WHERE asset_id = assets.id)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "unusedAsset",
    (SELECT id FROM scans WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS scan,
    (SELECT id FROM scans WHERE organization_id = (SELECT id FROM company) AND status = 'RUNNING'
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "runningScan",
    (SELECT id FROM issues WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS issue,
    (SELECT id FROM scan_events WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS event,
    (SELECT id FROM workflows WHERE organization_id = (SELECT id FROM company) AND enabled
      ORDER BY created_at DESC, id DESC LIMIT 1) AS workflow,
    (SELECT id FROM action) AS action,
    (SELECT workflow_id FROM action) AS "actionWorkflow",
    (SELECT id FROM webhook_deliveries WHERE organization_id = (SELECT id FROM company)
      ORDER BY created_at DESC, id DESC LIMIT 1) AS delivery,
    (SELECT id FROM webhook) AS webhook,
    (SELECT id FROM webhook_deliveries WHERE webhook_id = (SELECT id FROM webhook) AND status = 'DELIVERED'
      ORDER BY created_at DESC, id DESC LIMIT 1) AS "webhookDelivery",
    to_char(now() AT TIME ZONE 'UTC' - interval '1 day', 'YYYY-MM-DD"T00:00:00Z"') AS yesterday
  FROM service_state WHERE key = 'demo_data'`;

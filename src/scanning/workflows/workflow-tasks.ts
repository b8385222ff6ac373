/** Gathers the payload of a run, and makes its deliveries. */
export const runTask = 'workflow-run';
/** Makes one attempt of a delivery. */
export const deliveryTask = 'webhook-delivery';
/** Runs a workflow at the time of its schedule. */
export const scheduleTask = 'workflow-schedule';
/** Sends what an action has gathered. */
export const digestTask = 'workflow-digest';

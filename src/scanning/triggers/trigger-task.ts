/** Turns a recorded trigger into the runs of the workflows that listen to it. */
export const triggerTask = 'workflow-trigger';

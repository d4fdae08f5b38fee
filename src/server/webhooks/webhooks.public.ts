/** How many webhooks wait to be sent. */
export { countWaiting as countWaitingWebhooks } from './webhooks.outbox.ts';

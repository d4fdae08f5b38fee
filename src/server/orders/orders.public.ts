export { expireOrders, settleOpenOrders } from './settling.ts';
export { isReviewing } from './share-flags.ts';

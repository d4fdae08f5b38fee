export { expireOrders, settleOpenOrders } from './settling.ts';

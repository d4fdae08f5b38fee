import type { ReceivedMessage } from '../../../contract/content/message-list.ts';
import type { MessagePlace } from '../../../contract/enums.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { codePage } from '../CodeLink.tsx';
import { type MonitorScreen, monitorRoute } from '../detection/monitorScreen.ts';
import { paymentPage } from '../money/payments.ts';

/** Whoever has the first of the screens is led there. */
type Place = { nodes: readonly NodeKey[]; route: (id: number | null, node: NodeKey) => string };

const codes = (filter: string): Place => ({ nodes: ['qr_code_list'], route: () => `/customer/qr_code_list?${filter}=true` });

/** Where what a message is about is found. */
const places: Record<MessagePlace, Place> = {
  live_code: { nodes: ['set_qr_code'], route: (id) => (id === null ? '/customer/qr_code_list' : codePage(id)) },
  expiring_codes: codes('expiring'),
  exhausted_codes: codes('exhausted'),
  frozen_codes: codes('frozen'),
  codes_without_domain: { nodes: ['no_domain_name'], route: () => '/customer/no_domain_name' },
  domains: { nodes: ['domain_list'], route: () => '/customer/domain_list' },
  monitor: {
    nodes: ['admin_domain_monitor', 'domain_monitor'],
    route: (id, node) => (id === null ? `/customer/${node}` : monitorRoute(node as MonitorScreen, id)),
  },
  snippets: { nodes: ['js_config'], route: () => '/customer/js_config' },
  webhooks: { nodes: ['webhook'], route: () => '/customer/webhook' },
  bots: { nodes: ['telegram_bot_binding'], route: () => '/system/telegram_bot_binding' },
  pushes: { nodes: ['shield_push'], route: () => '/customer/shield_push' },
  withdrawals: { nodes: ['acting_withdrawal_list'], route: () => '/customer/acting_withdrawal_list' },
  shares: { nodes: ['agent_divided_into'], route: () => '/customer/agent_divided_into' },
  payments: { nodes: ['usdt_transaction_record'], route: () => '/system/usdt_transaction_record' },
  order: { nodes: ['user_order'], route: (id) => (id === null ? '/customer/user_order' : paymentPage(id)) },
  hosts: { nodes: ['monitor'], route: () => '/customer/monitor' },
  visit_digest: {
    nodes: ['historical_statistics'],
    route: (id) => `/customer/historical_statistics${id === null ? '' : `?digest=${id}`}`,
  },
  script_schedules: { nodes: ['script'], route: () => '/system/script?view=schedules' },
  script_run: { nodes: ['script'], route: (id) => (id === null ? '/system/script?view=runs' : `/system/script?run=${id}`) },
  membership: { nodes: ['buy_vip_combo'], route: () => '/customer/buy_vip_combo' },
  security: { nodes: ['update_password'], route: () => '/system/update_password' },
};

/** The route of what a message is about; undefined where it is about nothing that this user may open. */
export function routeOf({ place, place_id }: ReceivedMessage, allows: (node: NodeKey) => boolean): string | undefined {
  const found = place === null ? undefined : places[place];
  const node = found?.nodes.find(allows);
  return found && node && found.route(place_id, node);
}

import { CheckCircleOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type Need, type Needed, type NeedKind, namedNeeds, type Replaced } from '../../contract/content/home.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { CodeLink, codePage } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { monitorCalls, useMonitorScreen } from '../kit/detection/monitorScreen.ts';
import { Failure, Status, Time } from '../kit/feedback.ts';
import { hostName } from '../kit/host.ts';
import { useFormat } from '../kit/texts/format.ts';
import { ConfirmSite } from './ConfirmSite.tsx';
import { KeepKey } from './KeepKey.tsx';

const pollMilliseconds = 60_000;
/** Of each kind so many stand open; the rest comes with a click. */
const shownFirst = 2;

type Look = {
  isUrgent?: boolean;
  /** The screen of all of the kind, for those who have it. */
  all?: { node: NodeKey; route: string };
  /** All of the kind on the screen of checks that this user has, by its filter. */
  monitors?: string;
  /** What mends one: a screen that opens with it, or a call that is made in place. */
  act?: (item: Needed) => ReactNode;
};

const domains = (query: string) => ({ node: 'domain_list', route: `/customer/domain_list?${query}` }) as const;
const exhausted = { node: 'qr_code_list', route: '/customer/qr_code_list?exhausted=true' } as const;

const waitingReports = { node: 'report_list', route: '/customer/report_list?state=new' } as const;
const waitingWithdrawals = { node: 'withdrawal_list', route: '/customer/withdrawal_list?state=waiting' } as const;
const unpaidWithdrawals = { node: 'withdrawal_list', route: '/customer/withdrawal_list?state=approved' } as const;
const reviewedShares = { node: 'agent_divided_into.review', route: '/customer/agent_divided_into?is_reviewing=true' } as const;
const ipData = { node: 'ip_data', route: '/system/ip_data' } as const;
const webhooks = { node: 'webhook', route: '/customer/webhook' } as const;

const monitor = { node: 'monitor', route: '/customer/monitor' } as const;
const transactions = { node: 'usdt_transaction_record', route: '/system/usdt_transaction_record' } as const;
const servers = { node: 'server_list', route: '/system/server_list' } as const;

/** A screen that explains what is wrong and has what mends it. */
const looksAt = (all: NonNullable<Look['all']>): Pick<Look, 'all' | 'act'> => ({
  all,
  act: () => <ToScreen node={all.node} route={all.route} label="home.need.look" />,
});

const looks: Record<NeedKind, Look> = {
  restored_copy: { isUrgent: true, act: () => <ConfirmSite /> },
  host_strained: { isUrgent: true, ...looksAt(monitor) },
  wallet_short: {
    isUrgent: true,
    act: ({ name }) => <ToScreen node="tron" route={`/system/tron?search=${name.split(' ').at(-1) ?? ''}`} label="home.need.look" />,
  },
  payments_unread: { isUrgent: true, ...looksAt(transactions) },
  server_unreachable: looksAt(servers),
  job_failed: looksAt(monitor),
  backup_failed: { isUrgent: true, ...looksAt(monitor) },
  backup_overdue: { isUrgent: true, ...looksAt(monitor) },
  backup_keyless: { act: () => <KeepKey /> },
  domain_blocked: {
    isUrgent: true,
    all: domains('block_status=2'),
    act: ({ id }) => (
      <ToScreen node="domain_list.replace" route={`/customer/domain_list?act=replace&id=${id}`} label="menu.button.replace" isMain />
    ),
  },
  code_exhausted: { isUrgent: true, all: exhausted, act: (item) => <Refill item={item} /> },
  code_without_domain: {
    isUrgent: true,
    all: { node: 'no_domain_name', route: '/customer/no_domain_name' },
    act: (item) => <GiveDomain item={item} />,
  },
  detection_blind: { isUrgent: true, monitors: '' },
  domain_suspected: { monitors: 'suspected=true', act: (item) => <CheckBlocking item={item} /> },
  detector_failed: {
    all: { node: 'we_chat_blocking_detection_configuration', route: '/customer/we_chat_blocking_detection_configuration' },
    act: (item) => <RetryDetector item={item} />,
  },
  domain_elsewhere: { all: domains('dns_state=elsewhere'), act: (item) => <CheckDomain item={item} /> },
  certificate_ending: { all: domains('sort=certificate_expires_at&order=asc'), act: (item) => <CheckDomain item={item} /> },
  registration_ending: {
    all: domains('sort=registration_expires_at&order=asc'),
    act: ({ id }) => <ToScreen node="domain_list" route={`/customer/domain_list?act=details&id=${id}`} label="home.need.look" />,
  },
  target_ending: {
    all: { node: 'qr_code_list', route: '/customer/qr_code_list?expiring=true' },
    act: (item) => <ToScreen node="qr_code_list.update" route={codePage(item.id)} label="home.need.change_target" />,
  },
  visits_ending: { act: (item) => <Refill item={item} /> },
  report_waiting: {
    isUrgent: true,
    all: waitingReports,
    act: () => <ToScreen node={waitingReports.node} route={waitingReports.route} label="home.need.look" />,
  },
  withdrawal_waiting: {
    isUrgent: true,
    all: waitingWithdrawals,
    act: () => <ToScreen node={waitingWithdrawals.node} route={waitingWithdrawals.route} label="home.need.look" />,
  },
  withdrawal_unpaid: {
    all: unpaidWithdrawals,
    act: () => <ToScreen node={unpaidWithdrawals.node} route={unpaidWithdrawals.route} label="home.need.look" />,
  },
  share_reviewing: {
    all: reviewedShares,
    act: () => <ToScreen node={reviewedShares.node} route={reviewedShares.route} label="home.need.look" />,
  },
  webhook_stopped: { all: webhooks, act: (item) => <EnableWebhook item={item} /> },
  push_failing: looksAt({ node: 'shield_push', route: '/customer/shield_push' }),
  webhook_failing: { all: webhooks, act: (item) => <TestWebhook item={item} /> },
  operation_failed: {
    all: { node: 'async_operations', route: '/system/async_operations' },
    act: (item) => <RetryOperation item={item} />,
  },
  pool_low: { act: () => <ToScreen node="domain_list.add" route="/customer/domain_list" label="home.need.add_domains" /> },
  ip_data_old: { all: ipData, act: () => <ToScreen node={ipData.node} route={ipData.route} label="home.need.look" /> },
  quota_exceeded: {
    act: ({ id }) => <ToScreen node="buy_vip_combo" route={`/customer/buy_vip_combo?act=keep&id=${id}`} label="home.need.keep" isMain />,
  },
  membership_ending: {
    isUrgent: true,
    act: () => <ToScreen node="buy_vip_combo" route="/customer/buy_vip_combo" label="home.need.renew" isMain />,
  },
};

/** What waits for the user, the most urgent first, each with what mends it. */
export function Needs({ isQuietHidden }: { isQuietHidden: boolean }) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.home.needs, {}, { refetchInterval: pollMilliseconds });
  if (!data) {
    if (!error) return null;
    return (
      <section className="lc-panel">
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      </section>
    );
  }
  if (data.content.length === 0) {
    if (isQuietHidden && data.replaced.length === 0) return null;
    return (
      <div>
        <p className="lc-home-calm">
          <CheckCircleOutlined aria-hidden /> {t('home.need.none')}
        </p>
        <ReplacedDomains rows={data.replaced} />
      </div>
    );
  }
  return (
    <section className="lc-panel" aria-labelledby="home-needs">
      <header className="lc-panel-head">
        <h2 id="home-needs">{t('home.need.title')}</h2>
      </header>
      <ul className="lc-home-needs">
        {data.content.map((need) => (
          <Kind key={need.kind} need={need} />
        ))}
      </ul>
      <ReplacedDomains rows={data.replaced} />
    </section>
  );
}

/** Blocked domains that need nobody any more: others have their places. */
function ReplacedDomains({ rows }: { rows: readonly Replaced[] }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { exact } = useFormat();
  if (rows.length === 0) return null;
  return (
    <div className="lc-home-replaced lc-soft">
      <span>{t('home.replaced.title')}</span>
      <ul>
        {rows.map((row) => (
          <li key={`${row.id} ${row.to_host}`}>
            {t('home.replaced.item', {
              from: hostName(row),
              to: hostName({ host: row.to_host, host_unicode: row.to_host_unicode }),
              number: exact(row.codes),
            })}{' '}
            · <Time value={row.at} />
          </li>
        ))}
      </ul>
      {allows('shield_configuration') && <Link to="/customer/shield_configuration">{t('home.replaced.all')}</Link>}
    </div>
  );
}

function Kind({ need }: { need: Need }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { exact } = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { isUrgent = false, all, monitors, act } = looks[need.kind];
  const screen = useMonitorScreen();
  const shown = isOpen ? need.items : need.items.slice(0, shownFirst);
  const rest = need.total - shown.length;
  const ofMonitors = monitors === undefined || !screen ? undefined : `/customer/${screen}?${monitors}`;
  const route = ofMonitors ?? (all && allows(all.node) ? all.route : undefined);
  return (
    <li className="lc-home-need">
      <Status kind={isUrgent ? 'error' : 'warning'} label={t(`home.need.${need.kind}`, { number: exact(need.total), count: need.total })} />
      <ul>
        {shown.map((item) => (
          <li key={item.id} className="lc-home-need-item">
            <span className="lc-home-need-words">
              <Name kind={need.kind} item={item} />
              <Detail kind={need.kind} item={item} />
            </span>
            {need.kind === 'detection_blind' ? route && <ToRoute route={route} label="home.need.look" /> : act?.(item)}
          </li>
        ))}
        {rest > 0 && (
          <li className="lc-home-need-more">
            {!isOpen && need.items.length > shownFirst && (
              <Button type="link" size="small" onClick={() => setIsOpen(true)}>
                {t('home.need.more', { number: Math.min(need.total, namedNeeds) - shownFirst })}
              </Button>
            )}
            {route && <Link to={route}>{t('home.need.all', { number: exact(need.total) })}</Link>}
          </li>
        )}
      </ul>
    </li>
  );
}

const codeKinds: readonly NeedKind[] = ['code_exhausted', 'code_without_domain', 'target_ending', 'visits_ending'];

function Name({ kind, item }: { kind: NeedKind; item: Needed }) {
  const { t } = useTranslation();
  if (codeKinds.includes(kind)) return <CodeLink id={item.id} name={item.name} />;
  // The site as a whole has no name, and nothing should stand where it would.
  if (item.name === '') return null;
  return <b>{kind === 'operation_failed' ? t(`async_operations.kind.${item.name}`) : item.name}</b>;
}

function Detail({ kind, item }: { kind: NeedKind; item: Needed }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const key = `home.need.${kind}_detail`;
  return (
    <span className="lc-soft">
      {item.left !== null && t(key, { number: exact(item.left) })}
      {item.left !== null && item.at !== null && ' · '}
      {item.at !== null && <Time value={item.at} />}
      {item.handling && ` · ${t(`domain_list.failover.${item.reason ? `reason.${item.reason}` : `handling.${item.handling}`}`)}`}
    </span>
  );
}

function ToScreen({ node, ...to }: { node: NodeKey; route: string; label: string; isMain?: boolean }) {
  const { allows } = useSession();
  return allows(node) && <ToRoute {...to} />;
}

function ToRoute({ route, label, isMain = false }: { route: string; label: string; isMain?: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Button type={isMain ? 'primary' : 'default'} onClick={() => void navigate(route)}>
      {t(label)}
    </Button>
  );
}

/** Asks at once what messengers do with a domain. */
function CheckBlocking({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const screen = useMonitorScreen();
  const check = useAction(monitorCalls(screen ?? 'domain_monitor').check, {
    success: t('domain_monitor.checking', { number: 1, count: 1 }),
    invalidates: ['home'],
  });
  if (!screen || !allows(`${screen}.check`)) return null;
  return (
    <Button loading={check.isRunning} onClick={() => void check.run({ ids: [item.id] })}>
      {t('menu.button.check')}
    </Button>
  );
}

/** Lets a detector that stopped by itself work again at once. */
function RetryDetector({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const retry = useAction(api.we_chat_blocking_detection_configuration.update, {
    success: t('home.need.detector_retried', { name: item.name }),
    invalidates: ['home'],
  });
  if (!allows('we_chat_blocking_detection_configuration.update')) return null;
  return (
    <Button loading={retry.isRunning} onClick={() => void retry.run({ id: item.id, enabled: true })}>
      {t('common.retry')}
    </Button>
  );
}

/** Sets a code's visits back to its thresholds. */
function Refill({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const refill = useAction(api.qr_code_list.refill, { invalidates: ['home'] });
  if (!allows('qr_code_list.refill')) return null;
  return (
    <Button loading={refill.isRunning} onClick={() => void refill.run({ id: item.id })}>
      {t('menu.button.refill')}
    </Button>
  );
}

/** Looks at a domain again at once: who has mended its records sees that they are well. */
function CheckDomain({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const check = useAction(api.domain_list.check, { success: t('domain_list.checking', { number: 1 }), invalidates: ['home'] });
  if (!allows('domain_list.check')) return null;
  return (
    <Button loading={check.isRunning} onClick={() => void check.run({ ids: [item.id] })}>
      {t('menu.button.check')}
    </Button>
  );
}

/** Gives a code a healthy domain of its owner at once, or leads to the choice of one. */
function GiveDomain({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { message } = App.useApp();
  const assign = useAction(api.no_domain_name.assign, {
    success: false,
    invalidates: ['home', 'qr_code_list', 'domain_list'],
    onSuccess: ({ affected, left }) =>
      void (left === 0
        ? message.success(t('home.domains_assigned', { number: affected }))
        : message.warning(t('home.domains_assigned_some', { number: affected, left }))),
  });
  return (
    <span className="lc-inline">
      {allows('no_domain_name.assign') && (
        <Button type="primary" loading={assign.isRunning} onClick={() => void assign.run({ ids: [item.id], automatic: true })}>
          {t('home.need.assign_automatic')}
        </Button>
      )}
      <ToScreen node="qr_code_list.domain" route={`${codePage(item.id)}?act=domain`} label="home.need.choose_domain" />
    </span>
  );
}

function EnableWebhook({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const enable = useAction(api.webhook.update, { invalidates: ['home'] });
  if (!allows('webhook.update')) return null;
  return (
    <Button loading={enable.isRunning} onClick={() => void enable.run({ id: item.id, enabled: true }, { name: item.name })}>
      {t('common.enable')}
    </Button>
  );
}

/** Sends a test event: where the receiver takes it, the webhook is well again. */
function TestWebhook({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { message } = App.useApp();
  const test = useAction(api.webhook.test, {
    success: false,
    invalidates: ['home'],
    onSuccess: ({ state }) =>
      void (state === 'delivered' ? message.success(t('home.webhook_arrived')) : message.warning(t('home.webhook_failed'))),
  });
  if (!allows('webhook.test')) return null;
  return (
    <Button loading={test.isRunning} onClick={() => void test.run({ id: item.id })}>
      {t('home.need.test')}
    </Button>
  );
}

function RetryOperation({ item }: { item: Needed }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const retry = useAction(api.async_operations.retry, { invalidates: ['home'] });
  if (!allows('async_operations.retry')) return null;
  return (
    <Button loading={retry.isRunning} onClick={() => void retry.run({ id: item.id })}>
      {t('common.retry')}
    </Button>
  );
}

import { useTranslation } from 'react-i18next';
import { type Share, type ShareState, type ShareVerdict, shareStates, shareVerdicts } from '../../contract/money/agent-divided-into.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Amount, Copyable, Num, Page, type StatusKind, Time } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { type ListState, useUrlListState } from '../kit/list/useListState.ts';
import { translate } from '../kit/texts/i18n.ts';
import { useDialog } from '../kit/useDialog.ts';
import { ShareOrigin } from './ShareOrigin.tsx';
import { OwnRatio, RatioChanges } from './ShareRatios.tsx';
import { SumList } from './SumList.tsx';
import './money.css';

const stateKinds: Record<ShareState, StatusKind> = { held: 'info', released: 'success', reversed: 'neutral', owed: 'warning' };

const amountColumn = { width: 130, align: 'right' } as const;

/** What the buyer and the agent have in common, and what an administrator said about it. */
function Flags({ share: { flags, review_reason } }: { share: Share }) {
  const { t } = useTranslation();
  if (flags.length === 0) return null;
  return (
    <span>
      {flags.map((flag) => t(`agent_divided_into.flag_${flag}`)).join(' · ')}
      {review_reason && <span className="lc-soft"> · {review_reason}</span>}
    </span>
  );
}

const columns = columnsOf(api.agent_divided_into.inquire, [
  {
    key: 'order_no',
    title: 'order.order_no',
    kind: 'name',
    width: 210,
    render: ({ order_no }) => <Copyable value={order_no} code />,
  },
  { key: 'agent_account', title: 'agent_divided_into.agent', width: 130, card: 'field', node: 'user_list' },
  { key: 'buyer_account', width: 130, card: 'field' },
  { key: 'order_amount', ...amountColumn, render: ({ order_amount }) => <Amount value={order_amount} /> },
  { key: 'ratio', width: 100, align: 'right', card: 'field', exportValue: ({ ratio }) => ratio, render: ({ ratio }) => `${ratio}%` },
  { key: 'amount', ...amountColumn, card: 'aside', render: ({ amount }) => <Amount value={amount} signed /> },
  {
    key: 'state',
    kind: 'status',
    title: 'common.field.state',
    status: ({ state, is_reviewing }) => {
      if (is_reviewing) return { kind: 'warning', label: 'agent_divided_into.reviewing', help: 'agent_divided_into.reviewing_help' };
      return {
        kind: stateKinds[state],
        label: `agent_divided_into.state_${state}`,
        ...(state === 'owed' && { help: 'agent_divided_into.owed_help' }),
      };
    },
  },
  {
    key: 'release_at',
    width: 140,
    card: 'field',
    exportValue: ({ release_at, state, is_reviewing }) => (state === 'reversed' || is_reviewing ? '' : release_at),
    render: ({ release_at, state, is_reviewing }) => state !== 'reversed' && !is_reviewing && <Time value={release_at} />,
  },
  {
    key: 'flags',
    width: 190,
    card: 'field',
    exportValue: ({ flags }) => flags.map((flag) => translate(`agent_divided_into.flag_${flag}`)).join(' · '),
    render: (row) => <Flags share={row} />,
  },
  // Mostly that of the order, which stands above: the state is wanted beside it.
  {
    key: 'base',
    ...amountColumn,
    card: 'field',
    render: ({ base, order_amount }) => base !== order_amount && <Amount value={base} />,
  },
  {
    key: 'reversed',
    ...amountColumn,
    card: 'field',
    render: ({ reversed, is_refunded }) => is_refunded && <Amount value={`-${reversed}`} />,
  },
  {
    key: 'debt_paid',
    ...amountColumn,
    hiddenByDefault: true,
    render: ({ debt_paid }) => Number(debt_paid) > 0 && <Amount value={`-${debt_paid}`} />,
  },
  {
    key: 'is_refunded',
    kind: 'label',
    title: 'agent_divided_into.refunded',
    hiddenByDefault: true,
    label: ({ is_refunded }) => (is_refunded ? 'common.yes' : 'common.no'),
  },
  { key: 'level', kind: 'number', hiddenByDefault: true },
  { key: 'created_at', kind: 'time', title: 'common.field.time' },
]);

const filters: Filter<'search' | 'agent_id' | 'state' | 'flagged' | 'is_reviewing' | 'created_from' | 'created_to'>[] = [
  { kind: 'text', key: 'search', label: 'agent_divided_into.search' },
  { kind: 'remote', key: 'agent_id', label: 'agent_divided_into.agent', source: accountOptions, node: 'user_list' },
  {
    kind: 'select',
    key: 'state',
    label: 'common.field.state',
    options: shareStates.map((value) => ({ value, label: `agent_divided_into.state_${value}` })),
  },
  { kind: 'boolean', key: 'is_reviewing', label: 'agent_divided_into.reviewing', yes: 'common.yes', no: 'common.no' },
  { kind: 'boolean', key: 'flagged', label: 'agent_divided_into.flags', yes: 'common.yes', no: 'common.no', more: true },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'common.field.time' },
];
const defaultSort = { sort: 'id', order: 'desc' } as const;

/** What the filtered shares come to. */
function Sums({ values }: Pick<ListState, 'values'>) {
  const { t } = useTranslation();
  const { data } = useCall(api.agent_divided_into.sums, values);
  if (!data) return <SumList sums={undefined} />;
  const amounts = (['shares', 'reversed', 'left', 'held'] as const).map(
    (key) => [t(`agent_divided_into.sum_${key}`), <Amount key={key} value={data[key]} />] as const,
  );
  return <SumList sums={[[t('bill.number'), <Num key="number" value={data.number} />], ...amounts]} />;
}

type ReviewProps = { share: Share; verdict: ShareVerdict; onClose: () => void };

/** Asks for the reason, which the agent is told. */
function ReviewDialog({ share, verdict, onClose }: ReviewProps) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={api.agent_divided_into.review}
      title={t(`agent_divided_into.${verdict}_title`, { account: share.agent_account, amount: Number(share.amount) })}
      submit={`agent_divided_into.${verdict}`}
      success={`agent_divided_into.done_${verdict}`}
      danger={verdict === 'reverse'}
      asks
      invalidates={['bill']}
      intro={<Flags share={share} />}
      toInput={(values) => ({ ...values, id: share.id, verdict })}
      fields={[{ kind: 'text', name: 'reason', label: 'common.field.reason', help: 'agent_divided_into.reason_help' }]}
      onClose={onClose}
    />
  );
}

/** Shares of orders: an agent's own, or those of all agents for administrators, who may change their ratios. */
export function AgentDividedIntoPage() {
  const { t } = useTranslation();
  const state = useUrlListState(filters, ['id', 'created_at', 'amount'], defaultSort);
  const { allows } = useSession();
  const { present, open, close } = useDialog<{ kind: 'origin' | 'ratio' | ShareVerdict; share: Share }>();
  return (
    <Page title="menu.agent_divided_into" actions={!allows('user_list') && <OwnRatio />} fills>
      <Sums values={state.values} />
      <ListView
        list={api.agent_divided_into.inquire}
        columns={columns}
        filters={filters}
        state={state}
        defaultSort={defaultSort}
        exportName="menu.agent_divided_into"
        empty={{ title: 'agent_divided_into.empty', help: 'agent_divided_into.empty_help' }}
        rowActions={[
          ...shareVerdicts.map((kind) => ({
            key: kind,
            label: `agent_divided_into.${kind}`,
            node: 'agent_divided_into.review' as const,
            danger: kind === 'reverse',
            visible: ({ is_reviewing }: Share) => is_reviewing,
            onClick: (share: Share) => void open({ kind, share }),
          })),
          { key: 'origin', label: 'agent_divided_into.origin', onClick: (share) => void open({ kind: 'origin', share }) },
          {
            key: 'ratio',
            label: 'menu.button.ratio',
            node: 'agent_divided_into.ratio',
            onClick: (share) => void open({ kind: 'ratio', share }),
          },
        ]}
      />
      {present?.kind === 'origin' && <ShareOrigin share={present.share} onClose={close} />}
      {(present?.kind === 'release' || present?.kind === 'reverse') && (
        <ReviewDialog share={present.share} verdict={present.kind} onClose={close} />
      )}
      {present?.kind === 'ratio' && (
        <FormModal
          action={api.user_list.update_ratio}
          title={t('agent_divided_into.ratio_title', { account: present.share.agent_account })}
          submit="common.save"
          asks
          intro={
            <>
              <p>{t('agent_divided_into.ratio_intro')}</p>
              <RatioChanges agent_id={present.share.agent_id} />
            </>
          }
          toInput={(values) => ({ ...values, ids: [present.share.agent_id] })}
          fields={[{ kind: 'number', name: 'share_ratio', label: 'user_list.share_ratio', minimum: 0, maximum: 100, suffix: '%' }]}
          onClose={close}
        />
      )}
    </Page>
  );
}

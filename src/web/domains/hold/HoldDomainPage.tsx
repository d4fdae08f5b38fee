import { GlobalOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DomainHolder, maximumQuota } from '../../../contract/domains/hold-domain.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Copyable, Num } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { type HeldBy, HeldDomains } from './HeldDomains.tsx';

const figure = (key: 'entry' | 'landing' | 'short' | 'disabled_domains' | 'blocked'): Column<DomainHolder> => ({
  key,
  title: `hold_domain.${key}`,
  align: 'right',
  width: 95,
  render: (row) => <Num value={row[key]} />,
});

const columns: Column<DomainHolder>[] = [
  { key: 'account', title: 'hold_domain.account', sortable: true, width: 180, card: 'title', render: (row) => <Account row={row} /> },
  { key: 'name', title: 'hold_domain.name', width: 140, card: 'field' },
  { key: 'role_name', title: 'hold_domain.role', width: 120 },
  {
    key: 'domains',
    title: 'hold_domain.domains',
    sortable: true,
    align: 'right',
    width: 110,
    card: 'field',
    render: (row) => <Num value={row.domains} />,
  },
  {
    key: 'limit',
    title: 'hold_domain.quota',
    width: 170,
    card: 'field',
    exportValue: (row) => row.limit,
    render: (row) => <Quota row={row} />,
  },
  figure('entry'),
  figure('landing'),
  figure('short'),
  figure('disabled_domains'),
  { ...figure('blocked'), card: 'field' },
];

const filters: Filter<'search' | 'holding' | 'full'>[] = [
  { kind: 'text', key: 'search', label: 'hold_domain.search' },
  { kind: 'boolean', key: 'holding', label: 'hold_domain.holding' },
  { kind: 'boolean', key: 'full', label: 'hold_domain.full' },
];

function Account({ row }: { row: DomainHolder }) {
  const { t } = useTranslation();
  return (
    <>
      <Copyable value={row.account} /> {row.disabled && <Tag>{t('common.disabled')}</Tag>}
    </>
  );
}

function Quota({ row }: { row: DomainHolder }) {
  const { t } = useTranslation();
  if (row.limit === null) return <span className="lc-soft">{t('hold_domain.unlimited')}</span>;
  const isFull = row.domains >= row.limit;
  return (
    <span className="lc-num">
      {row.domains} / {row.limit}{' '}
      {isFull ? (
        <Tag color="warning">{t('hold_domain.used_up')}</Tag>
      ) : (
        row.domain_quota === null && <Tag>{t('hold_domain.by_default')}</Tag>
      )}
    </span>
  );
}

function PoolButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const answer = useCall(api.hold_domain.pool, {});
  return (
    <Button icon={<GlobalOutlined />} onClick={onClick}>
      {answer.data ? t('hold_domain.pool_number', { number: answer.data.pool.domains }) : t('domain_list.pool')}
    </Button>
  );
}

/** Who holds how many domains, and may hold: assign, take back, quotas. */
export function HoldDomainPage() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<HeldBy | null>(null);
  const [limited, setLimited] = useState<DomainHolder[]>([]);
  const first = limited[0];
  return (
    <>
      <ListPage
        title="menu.hold_domain"
        help={t('hold_domain.help')}
        list={api.hold_domain.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'domains', order: 'desc' }}
        exportName="menu.hold_domain"
        actions={<PoolButton onClick={() => setOpened('pool')} />}
        empty={{ title: 'hold_domain.empty', help: 'hold_domain.empty_help' }}
        onRowClick={setOpened}
        rowActions={[
          { key: 'domains', label: 'hold_domain.show', onClick: setOpened },
          { key: 'quota', label: 'hold_domain.set_quota', node: 'hold_domain.quota', onClick: (row) => setLimited([row]) },
        ]}
        batchActions={[
          {
            key: 'quota',
            label: 'hold_domain.set_quota',
            node: 'hold_domain.quota',
            onClick: async (rows) => {
              setLimited(rows);
              return true;
            },
          },
        ]}
      />
      {opened && <HeldDomains holder={opened} onClose={() => setOpened(null)} />}
      {first && (
        <FormModal
          action={api.hold_domain.quota}
          title="hold_domain.set_quota"
          submit="common.save"
          intro={
            limited.length === 1
              ? t('hold_domain.quota_of', { account: first.account, number: first.domains })
              : t('hold_domain.quota_of_many', { number: limited.length })
          }
          initial={{ domain_quota: limited.length === 1 ? first.domain_quota : null }}
          fields={[
            {
              kind: 'number',
              name: 'domain_quota',
              label: 'hold_domain.quota',
              help: 'hold_domain.quota_help',
              placeholder: 'hold_domain.by_default',
              minimum: 0,
              maximum: maximumQuota,
            },
          ]}
          toInput={({ domain_quota }) => ({ ids: limited.map(({ id }) => id), domain_quota: domain_quota ?? null })}
          onClose={() => setLimited([])}
        />
      )}
    </>
  );
}

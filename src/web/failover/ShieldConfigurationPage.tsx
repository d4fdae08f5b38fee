import { ExperimentOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { handlings, type ShieldIncident } from '../../contract/detection/shield-configuration.ts';
import { domainTypes } from '../../contract/enums.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { Page } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { useAskedAct } from '../kit/useAskedAct.ts';
import './failover.css';
import { IncidentDrawer } from './IncidentDrawer.tsx';
import { incidentColumns } from './incidents.columns.tsx';
import { ShieldPreview } from './ShieldPreview.tsx';
import { ShieldRules } from './ShieldRules.tsx';
import { useIncidentActs } from './useIncidentActs.tsx';

const filters: Filter<'search' | 'handling' | 'type' | 'open' | 'pool' | 'holder_id'>[] = [
  { kind: 'text', key: 'search', label: 'domain_list.search' },
  {
    kind: 'select',
    key: 'handling',
    label: 'shield_configuration.handled',
    options: handlings.map((value) => ({ value, label: `domain_list.failover.handling.${value}` })),
  },
  { kind: 'boolean', key: 'open', label: 'domain_list.block_status', yes: 'shield_configuration.still', no: 'shield_configuration.ended' },
  {
    kind: 'select',
    key: 'type',
    label: 'shield_configuration.type',
    more: true,
    options: domainTypes.map((value) => ({ value, label: `domain_list.type_${value}` })),
  },
  { kind: 'boolean', key: 'pool', label: 'domain_list.pool', more: true },
  { kind: 'remote', key: 'holder_id', label: 'domain_list.holder', source: accountOptions, node: 'user_list', more: true },
];
const sortable = incidentColumns.filter((column) => column.sortable).map(({ key }) => key);
const newestFirst = { sort: 'began_at', order: 'desc' } as const;
const pollSeconds = 10;

/** What is done when a domain is blocked: the rules, what they would do, and what they did. */
export function ShieldConfigurationPage() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<ShieldIncident | null>(null);
  const [tried, setTried] = useState<number | 'none' | null>(null);
  useAskedAct('preview', (id) => setTried(id > 0 ? id : 'none'), true);
  const acts = useIncidentActs();
  const state = useUrlListState(filters, sortable, newestFirst);
  return (
    <Page
      title="menu.shield_configuration"
      help={t('shield_configuration.help')}
      actions={
        <Button icon={<ExperimentOutlined />} onClick={() => setTried('none')}>
          {t('shield_configuration.preview.open')}
        </Button>
      }
    >
      <div className="lc-shield">
        <ShieldRules />
        <section className="lc-panel" aria-labelledby="shield-log">
          <header className="lc-panel-head">
            <h2 id="shield-log">{t('shield_configuration.log')}</h2>
          </header>
          <ListView
            list={api.shield_configuration.inquire}
            columns={incidentColumns}
            filters={filters}
            state={state}
            isEmbedded
            defaultSort={newestFirst}
            exportName="menu.shield_configuration"
            pollSeconds={pollSeconds}
            empty={{ title: 'shield_configuration.empty', help: 'shield_configuration.empty_help' }}
            onRowClick={setOpened}
            rowActions={[{ key: 'details', label: 'common.details', onClick: setOpened }, acts.retry.row, acts.undo.row]}
            batchActions={[acts.retry.batch, acts.undo.batch]}
          />
        </section>
      </div>
      {opened && <IncidentDrawer incident={opened} acts={acts} onClose={() => setOpened(null)} />}
      {tried !== null && <ShieldPreview asked={tried === 'none' ? null : tried} onClose={() => setTried(null)} />}
    </Page>
  );
}

import { SyncOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainMonitor } from '../../../contract/detection/domain-monitor.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { byDefault, intervalOptions, shortestText, toInterval } from '../../kit/detection/intervals.ts';
import { type MonitorScreen, monitorCalls } from '../../kit/detection/monitorScreen.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton } from '../../kit/dialogs/removal.tsx';
import { knownHost } from '../../kit/host.ts';
import { ListPage } from '../../kit/ListPage.tsx';
import type { SelectedRow } from '../../kit/list/types.ts';
import { useAskedAct } from '../../kit/useAskedAct.ts';
import { useWatch } from '../../kit/useWatch.ts';
import { AddMonitors } from './AddMonitors.tsx';
import { MonitorDrawer } from './MonitorDrawer.tsx';
import { listOf } from './monitor.columns.tsx';
import { Summary } from './Summary.tsx';
import { useMonitorActs } from './useMonitorActs.ts';
import '../detection.css';

/** Checks come by themselves: the page looks for them while it is in sight. */
const refreshSeconds = 15;

/** The addresses that a user has watched. */
export const DomainMonitorPage = () => <Monitors screen="domain_monitor" />;
/** Those of all users. */
export const AdminDomainMonitorPage = () => <Monitors screen="admin_domain_monitor" />;

function Monitors({ screen }: { screen: MonitorScreen }) {
  const { t } = useTranslation();
  const [isAdding, setIsAdding] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const [changed, setChanged] = useState<readonly SelectedRow<DomainMonitor>[]>([]);
  const { pollSeconds: watchSeconds, watch } = useWatch();
  const acts = useMonitorActs(screen, watch);
  useAskedAct('details', setOpened, true);
  const pollSeconds = watchSeconds || refreshSeconds;
  const update = `${screen}.update` as NodeKey;
  const { columns, filters } = screen === 'admin_domain_monitor' ? listOf.all : listOf.own;
  const addButton = <AddButton node={`${screen}.add` as NodeKey} label="domain_monitor.add" onClick={() => setIsAdding(true)} />;
  const open = ({ id }: DomainMonitor) => setOpened(id);
  return (
    <>
      <ListPage
        title={`menu.${screen}`}
        above={<Summary screen={screen} pollSeconds={pollSeconds} />}
        list={monitorCalls(screen).inquire}
        columns={columns}
        filters={filters}
        allIds={monitorCalls(screen).ids}
        exportName={`menu.${screen}`}
        actions={
          <>
            <Allowed node={`${screen}.check` as NodeKey}>
              <Button icon={<SyncOutlined spin={acts.isChecking} />} onClick={acts.checkAll}>
                {t('domain_list.check_all')}
              </Button>
            </Allowed>
            {addButton}
          </>
        }
        pollSeconds={pollSeconds}
        empty={{ title: 'domain_monitor.empty', help: 'domain_monitor.empty_help', action: addButton }}
        onRowClick={open}
        rowActions={[
          { key: 'details', label: 'common.details', onClick: open },
          acts.row.check,
          acts.row.pause,
          { key: 'interval', label: 'domain_monitor.set_interval', node: update, onClick: (row) => setChanged([row]) },
          acts.row.remove,
        ]}
        batchActions={[
          ...acts.batch,
          {
            key: 'interval',
            label: 'domain_monitor.set_interval',
            node: update,
            byId: true,
            onClick: async (rows) => {
              setChanged(rows);
              return true;
            },
          },
          acts.removeMany,
        ]}
      />
      {opened !== null && (
        <MonitorDrawer screen={screen} id={opened} pollSeconds={pollSeconds} acts={acts.row} onClose={() => setOpened(null)} />
      )}
      {isAdding && <AddMonitors screen={screen} onAdded={watch} onClose={() => setIsAdding(false)} />}
      {changed.length > 0 && <ChangeInterval screen={screen} rows={changed} onClose={() => setChanged([])} />}
    </>
  );
}

type ChangeIntervalProps = { screen: MonitorScreen; rows: readonly SelectedRow<DomainMonitor>[]; onClose: () => void };

/** How often these addresses are checked from now on. */
function ChangeInterval({ screen, rows, onClose }: ChangeIntervalProps) {
  const { t } = useTranslation();
  const [first] = rows;
  const minimum = useCall(monitorCalls(screen).summary, {}).data?.minimum_seconds;
  const present = rows.length === 1 ? (first?.interval_seconds ?? null) : null;
  return (
    <FormModal
      action={monitorCalls(screen).update}
      title="domain_monitor.set_interval"
      submit="common.save"
      asks
      intro={first && rows.length === 1 ? knownHost(first) : t('domain_monitor.interval_many', { number: rows.length })}
      initial={{ interval_seconds: present ?? byDefault }}
      fields={[
        {
          kind: 'select',
          name: 'interval_seconds',
          label: 'domain_monitor.interval',
          help: `${t('domain_monitor.interval_help')}${shortestText(minimum)}`,
          options: intervalOptions({ present, minimum }),
        },
      ]}
      toInput={({ interval_seconds }) => ({ ids: rows.map(({ id }) => id), interval_seconds: toInterval(interval_seconds) })}
      onClose={onClose}
    />
  );
}

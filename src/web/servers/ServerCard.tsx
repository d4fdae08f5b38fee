import { Alert, Button, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Server } from '../../contract/system/server-list.ts';
import { bytesText } from '../kit/bytes.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Copyable, Status, type StatusKind, Time } from '../kit/feedback.ts';
import { RowActions } from '../kit/list/RowActions.tsx';
import type { RowAction } from '../kit/list/types.ts';
import { useFormat } from '../kit/texts/format.ts';
import { UptimeBars } from './UptimeBars.tsx';

const stateKinds: Record<Server['state'], StatusKind> = {
  unknown: 'neutral',
  online: 'success',
  offline: 'error',
  refused: 'error',
  key_changed: 'warning',
};
const highShare = 0.9;

/** A share as a bar with its words; fuller than nine tenths it is marked. */
function Meter({ label, share, words }: { label: string; share: number | null; words: string }) {
  const { t } = useTranslation();
  const percentage = share === null ? 0 : Math.round(Math.min(1, share) * 100);
  return (
    <div className={share !== null && share >= highShare ? 'lc-server-meter lc-server-meter-high' : 'lc-server-meter'}>
      <span className="lc-server-meter-head">
        <span>{t(label)}</span>
        <span className="lc-num">{words}</span>
      </span>
      <span className="lc-server-track">
        <span style={{ inlineSize: `${percentage}%` }} />
      </span>
    </div>
  );
}

function Meters({ figures }: { figures: NonNullable<Server['figures']> }) {
  const { percent } = useFormat();
  const { t } = useTranslation();
  const { cpus, load_1, load_5, load_15, memory_total, memory_used, disk_total, disk_used } = figures;
  const of = (used: number | null, total: number | null) => (used === null || !total ? null : used / total);
  const sizes = (used: number | null, total: number | null) =>
    used === null || !total ? '–' : `${percent(used / total)} · ${bytesText(used)} / ${bytesText(total)}`;
  const loads = [load_1, load_5, load_15].map((load) => (load === null ? '–' : load.toFixed(2))).join(' ');
  return (
    <div className="lc-server-meters">
      <Meter
        label="server_list.load"
        share={load_1 === null ? null : load_1 / (cpus || 1)}
        words={cpus ? t('server_list.load_of', { loads, cpus, count: cpus }) : loads}
      />
      <Meter label="server_list.memory" share={of(memory_used, memory_total)} words={sizes(memory_used, memory_total)} />
      <Meter label="server_list.disk" share={of(disk_used, disk_total)} words={sizes(disk_used, disk_total)} />
    </div>
  );
}

function Versions({ versions }: { versions: Record<string, string> }) {
  const shown = Object.entries(versions);
  if (shown.length === 0) return null;
  return (
    <ul className="lc-server-versions">
      {shown.map(([name, version]) => (
        <li key={name}>{name === 'os' ? version : `${name} ${version}`}</li>
      ))}
    </ul>
  );
}

/** What is wrong with a server, and what can be done about a key that changed. */
function Trouble({ server, onAccept }: { server: Server; onAccept: () => void }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  if (server.error === null) return null;
  const mayAccept = server.state === 'key_changed' && server.offered_key !== null && allows('server_list.update');
  return (
    <Alert
      type={server.state === 'key_changed' ? 'warning' : 'error'}
      showIcon
      title={<span className="lc-server-error">{server.error}</span>}
      action={
        mayAccept && (
          <Button size="small" onClick={onAccept}>
            {t('server_list.accept')}
          </Button>
        )
      }
    />
  );
}

type ServerCardProps = { server: Server; actions: readonly RowAction<Server>[]; onAccept: () => void };

/** One server: whether it answers, how it does, and what can be done with it. */
export function ServerCard({ server, actions, onAccept }: ServerCardProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { figures, host_key, host_key_type, host_key_at } = server;
  const address = `${server.ssh_user}@${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`;
  return (
    <article className="lc-panel lc-server" aria-label={server.name}>
      <header className="lc-server-head">
        <h2>{server.name}</h2>
        <Status kind={stateKinds[server.state]} label={`server_list.state_${server.state}`} />
        <RowActions row={server} actions={actions.filter(({ node }) => !node || allows(node))} />
      </header>
      <div className="lc-server-address">
        <Copyable value={address} code />
      </div>
      <Trouble server={server} onAccept={onAccept} />
      {figures && <Meters figures={figures} />}
      <UptimeBars server={server} />
      {figures && <Versions versions={figures.versions} />}
      <footer className="lc-server-foot">
        {host_key ? (
          <Tooltip title={host_key_at && <Time value={host_key_at} exact />}>
            <span className="lc-server-key">
              {t('server_list.host_key')} {host_key_type} <Copyable value={host_key} maximum={26} code />
            </span>
          </Tooltip>
        ) : (
          <span className="lc-soft">{t('server_list.key_unknown')}</span>
        )}
        {figures?.booted_at && (
          <span className="lc-soft">
            {t('server_list.booted')} <Time value={figures.booted_at} />
          </span>
        )}
        <span className="lc-soft">
          {t('server_list.checked')} <Time value={server.checked_at} />
        </span>
      </footer>
    </article>
  );
}

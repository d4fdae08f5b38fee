import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../../contract/domains/domain-list.ts';
import type { DomainHolder } from '../../../contract/domains/hold-domain.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { hostLabel } from '../../kit/host.ts';
import { ListTable } from '../../kit/ListPage.tsx';
import { domainColumns } from '../domains.columns.tsx';
import { holderOptions } from '../domains.fields.ts';

/** A user, or the platform pool. */
export type HeldBy = DomainHolder | 'pool';

const shown = ['host', 'type', 'enabled', 'dns_state', 'block_status', 'live_code_count', 'remark'];
const columns = domainColumns.filter(({ key }) => shown.includes(key));

/** The domains of one holder, to be given to another or taken back. */
export function HeldDomains({ holder, onClose }: { holder: HeldBy; onClose: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [given, setGiven] = useState<readonly Domain[]>([]);
  const takeBack = useAction(api.hold_domain.take_back, { invalidates: ['domain_list'] });
  const isPool = holder === 'pool';
  const hosts = (rows: readonly Domain[]) => rows.map(hostLabel).join('\n');

  async function askToTakeBack(rows: readonly Domain[]) {
    const title = t('hold_domain.take_back_title', { number: rows.length });
    const agreed = await confirm({ title, content: 'hold_domain.take_back_content', confirm: 'hold_domain.take_back' });
    return agreed && (await takeBack.run({ ids: rows.map(({ id }) => id) })) !== undefined;
  }

  const assign = { key: 'assign', label: 'hold_domain.assign', node: 'hold_domain.assign' as const };
  const back = { key: 'take_back', label: 'hold_domain.take_back', node: 'hold_domain.take_back' as const };
  return (
    <Drawer
      open
      onClose={onClose}
      size={1080}
      title={isPool ? t('domain_list.pool') : t('hold_domain.domains_of', { account: holder.account })}
    >
      <ListTable
        list={api.domain_list.inquire}
        columns={columns}
        name="hold_domain.domains"
        fixedInput={isPool ? { pool: true } : { holder_id: holder.id }}
        filters={[{ kind: 'text', key: 'host', label: 'domain_list.host', placeholder: 'domain_list.search' }]}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.domain_list"
        empty={{ title: 'hold_domain.none_held', help: isPool ? 'hold_domain.pool_help' : 'hold_domain.none_held_help' }}
        rowActions={[
          { ...assign, onClick: (row) => setGiven([row]) },
          ...(isPool ? [] : [{ ...back, onClick: (row: Domain) => void askToTakeBack([row]) }]),
        ]}
        batchActions={[
          {
            ...assign,
            onClick: async (rows) => {
              setGiven(rows);
              return true;
            },
          },
          ...(isPool ? [] : [{ ...back, onClick: askToTakeBack }]),
        ]}
      />
      {given.length > 0 && (
        <FormModal
          action={api.hold_domain.assign}
          title="hold_domain.assign_title"
          submit="hold_domain.assign"
          intro={<span className="hold-hosts">{hosts(given.slice(0, 8)) + (given.length > 8 ? `\n… (${given.length})` : '')}</span>}
          fields={[
            {
              kind: 'remote',
              name: 'holder_id',
              label: 'domain_list.holder',
              help: 'hold_domain.assign_help',
              source: holderOptions,
              required: true,
            },
          ]}
          toInput={({ holder_id }) => ({ ids: given.map(({ id }) => id), holder_id })}
          invalidates={['domain_list']}
          onClose={() => setGiven([])}
        />
      )}
    </Drawer>
  );
}

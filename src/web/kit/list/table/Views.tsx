import { DeleteOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListView } from '../../../../contract/people/list-view.ts';
import { api } from '../../calls/api.ts';
import { useAction, useCall } from '../../calls/query.ts';
import { useSession } from '../../calls/session.tsx';
import { useDone } from '../../undo/useDone.tsx';
import type { ListState } from '../useListState.ts';
import { type Arrangement, readArrangement } from './arrangement.ts';
import type { useArrangement } from './useArrangement.ts';

type ViewsProps = {
  /** The list's name, as its arrangement has it. */
  list: string;
  columns: readonly { key: string; hiddenByDefault?: boolean }[];
  state: Pick<ListState, 'query' | 'show'>;
  arranged: ReturnType<typeof useArrangement> | { isOwn: boolean; arrangement: null; change: (next: Arrangement | null) => void };
  close: () => void;
};

/** The views of a list, and the form that keeps the present one. */
export function Views({ list, columns, state, arranged, close }: ViewsProps) {
  const { t } = useTranslation();
  const { data } = useCall(api.list_view.inquire, { list });
  const done = useDone();
  const remove = useAction(api.list_view.remove, { success: false });
  const putBack = useAction(api.list_view.add, { success: 'done.undone' });

  function show({ query, arrangement }: ListView) {
    state.show(query);
    arranged.change(arrangement === null ? null : readArrangement(arrangement, columns));
    close();
  }
  async function forget({ id, name, query, arrangement, shared }: ListView) {
    if (await remove.run({ id }))
      void done(t('common.views.removed', { name }), () => void putBack.run({ list, name, query, arrangement, shared }));
  }
  const views = data?.content ?? [];
  return (
    <div className="lc-views">
      {data && views.length === 0 && <p className="lc-soft">{t('common.views.none')}</p>}
      <ul>
        {views.map((view) => (
          <li key={view.id}>
            <Button type="text" className="lc-views-name" onClick={() => show(view)}>
              {view.name} {view.shared && <Tag>{t('common.views.shared')}</Tag>}
            </Button>
            {view.own && (
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t('common.views.remove', { name: view.name })}
                onClick={() => void forget(view)}
              />
            )}
          </li>
        ))}
      </ul>
      <KeepView list={list} query={state.query} arrangement={arranged.isOwn ? null : arranged.arrangement} />
    </div>
  );
}

function KeepView({ list, query, arrangement }: { list: string; query: string; arrangement: Arrangement | null }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const add = useAction(api.list_view.add, { success: t('common.views.kept', { name }), onSuccess: () => setName('') });
  const mayShare = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  return (
    <form
      className="lc-views-keep"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void add.run({ list, name: name.trim(), query, arrangement, shared });
      }}
    >
      <Input
        value={name}
        maxLength={40}
        placeholder={t('common.views.name')}
        aria-label={t('common.views.name')}
        onChange={(event) => setName(event.target.value)}
      />
      {mayShare && (
        <Checkbox checked={shared} onChange={(event) => setShared(event.target.checked)}>
          {t('common.views.share')}
        </Checkbox>
      )}
      <Button htmlType="submit" type="primary" disabled={name.trim() === ''} loading={add.isRunning}>
        {t('common.views.keep')}
      </Button>
    </form>
  );
}

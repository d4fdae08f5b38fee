import { EyeOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role, RoleNode } from '../../../contract/people/role.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Failure } from '../../kit/feedback.ts';
import { useAskToDiscard, useDirtySource } from '../../kit/form/dirty.tsx';
import { roleName } from '../../kit/texts/roleName.ts';
import { NodeHolders } from './NodeHolders.tsx';
import { type Chosen, differenceOf, heldIds } from './nodeTree.ts';
import { PermissionDifference } from './PermissionDifference.tsx';
import { PermissionTree } from './PermissionTree.tsx';
import { RolePreview } from './RolePreview.tsx';

/** The permissions of one role, in a drawer that stays until they are saved or given up. */
export function PermissionDrawer({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useTranslation();
  const answer = useCall(api.role.nodes, { id: role.id }, { staleTime: 0, refetchOnWindowFocus: false, placeholderData: undefined });
  // What a former opening left in the cache may be out of date: the editor begins with what the server says now.
  if (answer.data && !answer.isFetching) return <PermissionEditor key={answer.dataUpdatedAt} {...answer.data} onClose={onClose} />;
  return (
    <Drawer open size={860} title={t('role.nodes_title', { name: roleName(role.name) })} onClose={onClose}>
      {answer.error ? <Failure error={answer.error} retry={() => void answer.refetch()} /> : <Skeleton active paragraph={{ rows: 12 }} />}
    </Drawer>
  );
}

type PermissionEditorProps = { role: Role; tree: RoleNode[]; onClose: () => void };

function PermissionEditor({ role, tree, onClose }: PermissionEditorProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const askToDiscard = useAskToDiscard();
  const setDirty = useDirtySource();
  const [chosen, setChosen] = useState<Chosen>(() => heldIds(tree));
  const [asked, setAsked] = useState<RoleNode | null>(null);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const save = useAction(api.role.update_nodes, { invalidates: ['admin'] });
  const { added, removed } = differenceOf(tree, chosen);
  const isChanged = added.length + removed.length > 0;
  const isReadOnly = role.kind === 'super' || !allows('role.nodes');

  function change(next: Chosen) {
    const difference = differenceOf(tree, next);
    setDirty(difference.added.length + difference.removed.length > 0);
    setChosen(next);
  }

  async function close() {
    if (!isChanged || (await askToDiscard())) onClose();
  }

  async function askToSave() {
    const agreed = await confirm({
      title: t('role.save_nodes_title', { name: roleName(role.name) }),
      content: <PermissionDifference tree={tree} added={added} removed={removed} userCount={role.user_count} />,
      confirm: 'role.save_nodes',
      danger: removed.length > 0,
    });
    if (!agreed) return;
    if ((await save.run({ id: role.id, version: role.version, node_ids: [...chosen] })) === undefined) return;
    setDirty(false);
    onClose();
  }

  const footer = (
    <div className="lc-role-footer">
      <span className="lc-num" aria-live="polite">
        {isChanged ? (
          t('role.changes', { added: added.length, removed: removed.length })
        ) : (
          <span className="lc-soft">{t('role.no_changes')}</span>
        )}
      </span>
      <Button icon={<EyeOutlined />} onClick={() => setIsPreviewing(true)}>
        {t('role.preview')}
      </Button>
      <Button onClick={() => void close()}>{t(isReadOnly ? 'common.close' : 'common.cancel')}</Button>
      {!isReadOnly && (
        <Button type="primary" disabled={!isChanged} loading={save.isRunning} onClick={() => void askToSave()}>
          {t('role.save_nodes')}
        </Button>
      )}
    </div>
  );
  return (
    <Drawer open size={860} title={t('role.nodes_title', { name: roleName(role.name) })} footer={footer} onClose={() => void close()}>
      {role.kind === 'super' && <Alert className="lc-role-note" type="info" showIcon title={t('role.super_note')} />}
      <PermissionTree tree={tree} chosen={chosen} onChoose={isReadOnly ? undefined : change} onAsk={setAsked} />
      {asked && <NodeHolders screen={asked} onClose={() => setAsked(null)} />}
      {isPreviewing && <RolePreview role={role} node_ids={isReadOnly ? undefined : [...chosen]} onClose={() => setIsPreviewing(false)} />}
    </Drawer>
  );
}

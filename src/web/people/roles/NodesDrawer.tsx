import { PlusOutlined } from '@ant-design/icons';
import { Button, Skeleton, Table, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nodeType } from '../../../contract/enums.ts';
import type { PermissionNode } from '../../../contract/people/role.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Failure } from '../../kit/feedback.ts';
import { MenuIcon } from '../../kit/shell/icons.tsx';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { NodeAddDialog, NodeUpdateDialog } from './NodeDialogs.tsx';
import { isScreen, type NodeBranch, nodeBranches, nodeKind } from './nodeBranches.ts';

/** How screens and buttons are named and shown; what they permit is the product's own business. */
export function NodesDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const [edited, setEdited] = useState<PermissionNode | 'new' | null>(null);
  const { data, error, refetch } = useCall(api.role.node_list, {});
  const close = () => setEdited(null);
  const missing = data?.missing_paths ?? [];
  const branches = nodeBranches(data?.content ?? []);
  const addButton = (
    <Tooltip title={missing.length === 0 ? t('role.nothing_missing') : undefined}>
      <Button icon={<PlusOutlined />} disabled={missing.length === 0} onClick={() => setEdited('new')}>
        {t('role.node_add')}
      </Button>
    </Tooltip>
  );
  const yesNo = (value: boolean) => (value ? t('common.yes') : <span className="lc-soft">{t('common.no')}</span>);

  return (
    <Drawer open size={1280} title={t('role.node_list')} extra={addButton} onClose={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 12 }} />}
      {data && (
        <Table<NodeBranch>
          rowKey="id"
          size="small"
          pagination={false}
          scroll={{ x: 980 }}
          dataSource={branches}
          defaultExpandedRowKeys={branches.map((group) => group.id)}
          columns={[
            {
              title: t('role.node_name'),
              width: 260,
              render: (_, node) => (
                <>
                  {node.type === nodeType.route && <MenuIcon name={node.icon} />} {nameOf(node)}
                </>
              ),
            },
            {
              title: t('role.node_path'),
              width: 220,
              render: (_, { path }) => (path ? <code>{path}</code> : <span className="lc-soft">–</span>),
            },
            { title: t('role.node_type'), width: 90, render: (_, node) => t(nodeKind(node)) },
            { title: t('role.platform'), width: 80, render: (_, { platform }) => t(`role.platform_${platform}`) },
            { title: t('role.node_sort'), width: 90, align: 'right', dataIndex: 'sort' },
            {
              title: t('role.show_headshot'),
              width: 100,
              render: (_, node) => (isScreen(node) ? yesNo(node.show_headshot) : ''),
            },
            { title: t('role.allow_selection'), width: 100, render: (_, node) => (node.path ? yesNo(node.allow_selection) : '') },
            {
              title: t('common.actions'),
              width: 80,
              fixed: 'right',
              render: (_, node) => (
                <Button type="link" size="small" onClick={() => setEdited(node)}>
                  {t('common.edit')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {edited === 'new' && <NodeAddDialog paths={missing} onClose={close} />}
      {edited !== null && edited !== 'new' && <NodeUpdateDialog node={edited} onClose={close} />}
    </Drawer>
  );
}

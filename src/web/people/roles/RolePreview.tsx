import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nodeType } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Empty, Failure } from '../../kit/feedback.ts';
import { MenuIcon } from '../../kit/shell/icons.tsx';
import { type MenuScreen, menuScreens, menuSections } from '../../kit/shell/menuTree.ts';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { roleName } from '../../kit/texts/roleName.ts';

type RolePreviewProps = { role: { id: number; name: string }; node_ids?: number[]; onClose: () => void };

/** The menu as users of the role see it, with the buttons of the screen one points at. */
export function RolePreview({ role, node_ids, onClose }: RolePreviewProps) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const { data, error, refetch } = useCall(api.role.preview, { id: role.id, node_ids });
  const [marked, setMarked] = useState<string | null>(null);
  const sections = menuSections(data?.tree_menu_arr ?? []);
  const entries = menuScreens(sections);
  const shown = entries.find((entry) => entry.path === marked) ?? entries[0];
  return (
    <Modal open title={t('role.preview_title', { name: roleName(role.name) })} footer={null} onCancel={onClose} centered>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && entries.length === 0 && <Empty picture="lock" title="role.preview_empty" help="role.preview_empty_help" />}
      {shown && (
        <div className="lc-role-preview">
          <nav aria-label={t('common.shell.menu')}>
            {sections.map((section) => (
              <div key={section.key}>
                <p>
                  <MenuIcon name={section.item.icon} /> {nameOf(section.item)}
                </p>
                {menuScreens([section]).map((entry) => (
                  <button key={entry.path} type="button" aria-pressed={entry === shown} onClick={() => setMarked(entry.path)}>
                    {nameOf(entry.item)}
                  </button>
                ))}
              </div>
            ))}
          </nav>
          <PreviewedScreen entry={shown} />
        </div>
      )}
    </Modal>
  );
}

function PreviewedScreen({ entry }: { entry: MenuScreen }) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const buttons = entry.item.children.filter((child) => child.type === nodeType.button);
  return (
    <section>
      <h3>{nameOf(entry.item)}</h3>
      <p className="lc-soft">{t(buttons.length > 0 ? 'role.preview_buttons' : 'role.preview_no_buttons')}</p>
      <div className="lc-role-preview-buttons">
        {buttons.map((button) => (
          <Tag key={button.id}>{nameOf(button)}</Tag>
        ))}
      </div>
    </section>
  );
}

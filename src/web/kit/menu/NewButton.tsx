import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { newThings } from './newThings.ts';

/** Whether a key is meant for what has the focus: a text box, an open dialog or menu. */
function isForOthers(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable="true"], [role="combobox"]')) return true;
  return document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open') !== null;
}

/** Makes something new, from every screen. N opens it, a letter chooses: only where nobody is typing. */
export function NewButton({ isPhone }: { isPhone: boolean }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const things = newThings.filter(({ node }) => allows(node));

  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (isForOthers(event)) return;
    const key = event.key.toUpperCase();
    const thing = isOpen ? things.find(({ letter }) => letter === key) : undefined;
    if (key === 'N') setIsOpen(true);
    else if (thing) {
      setIsOpen(false);
      void navigate(thing.route);
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  if (things.length === 0) return null;
  const label = t('common.shell.new');
  return (
    <Dropdown
      open={isOpen}
      onOpenChange={setIsOpen}
      menu={{
        items: things.map(({ node, label: words, letter }) => ({
          key: node,
          label: (
            <span className="lc-new-thing">
              {t(words)}
              {!isPhone && <kbd aria-hidden>{letter}</kbd>}
            </span>
          ),
        })),
        onClick: ({ key }) => {
          const thing = things.find(({ node }) => node === key);
          if (thing) void navigate(thing.route);
        },
      }}
    >
      {isPhone ? (
        <Button type="text" icon={<PlusOutlined />} aria-label={label} />
      ) : (
        <Button icon={<PlusOutlined />} aria-keyshortcuts="N">
          {label}
        </Button>
      )}
    </Dropdown>
  );
}

import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortcut } from '../look/shortcut.ts';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

const { keys, shown } = shortcut('K');

/** Opens the command palette, as Ctrl-K (⌘K) does everywhere behind the login. */
export function PaletteButton({ isPhone }: { isPhone: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);

  useEffect(() => {
    function onKeyDown(event: globalThis.KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setWasOpened(true);
      setIsOpen((open) => !open);
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  function open() {
    setWasOpened(true);
    setIsOpen(true);
  }

  return (
    <>
      {isPhone ? (
        <Button type="text" icon={<SearchOutlined />} aria-label={t('command.title')} onClick={open} />
      ) : (
        <button type="button" className="lc-palette-button" aria-keyshortcuts={keys} onClick={open}>
          <SearchOutlined aria-hidden />
          <span>{t('command.button')}</span>
          <kbd aria-hidden>{shown}</kbd>
        </button>
      )}
      {wasOpened && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

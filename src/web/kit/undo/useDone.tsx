import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { shortcut } from '../look/shortcut.ts';

const toast = 'undo';
const undoSeconds = 8;
const { keys, shown } = shortcut('Z');

/** What the toast offers to take back; the newest only, as there is one toast. */
let offered: (() => void) | undefined;

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));

/** The toast stands at the end of the page: who works by keyboard would not reach it in time. In a field the keys undo what was typed there. */
function undoByKeys(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (!isUndo || !offered || event.defaultPrevented || isEditable(event.target)) return;
  event.preventDefault();
  offered();
}

function offer(undo: (() => void) | undefined): void {
  offered = undo;
  if (undo) document.addEventListener('keydown', undoByKeys);
  else document.removeEventListener('keydown', undoByKeys);
}

/** Says what was done and, where it can be taken back, offers to for a while. */
export function useDone(): (words: string, takeBack?: () => void) => void {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return (words, takeBack) => {
    if (!takeBack) {
      void message.success(words);
      return;
    }
    const undo = () => {
      offer(undefined);
      message.destroy(toast);
      takeBack();
    };
    offer(undo);
    void message.open({
      key: toast,
      type: 'success',
      duration: undoSeconds,
      onClose: () => offered === undo && offer(undefined),
      content: (
        <>
          {words}
          <Button type="link" size="small" aria-keyshortcuts={keys} title={shown} onClick={undo}>
            {t('menu.button.undo')}
          </Button>
        </>
      ),
    });
  };
}

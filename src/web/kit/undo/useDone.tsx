import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useSession } from '../calls/session.tsx';
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

/** The call that did it, and what was sent. */
export type Act = { call: { group: string; action: string }; input: object };

/** The address of the screen that shows what an act did, unless one stands there. Toasts stand outside of the router. */
async function addressAfter({ call, input }: Act, allows: (node: NodeKey) => boolean): Promise<string | undefined> {
  const found = await import('../feedback/routeAfter.ts').catch(() => undefined);
  const route = found?.routeAfter(call, input, allows);
  const address = route && `#${route}`;
  return address && window.location.hash.split('?')[0] !== address ? address : undefined;
}

/** Says what was done and, for a while, leads to where it is seen and offers to take it back. */
export function useDone(): (words: string | Promise<string>, takeBack?: () => void, act?: Act) => Promise<void> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { allows } = useSession();
  return async (said, takeBack, act) => {
    const [words, address] = await Promise.all([said, act && addressAfter(act, allows)]);
    if (!takeBack && !address) {
      void message.success(words);
      return;
    }
    const undo =
      takeBack &&
      (() => {
        offer(undefined);
        message.destroy(toast);
        takeBack();
      });
    offer(undo);
    void message.open({
      key: toast,
      type: 'success',
      duration: undoSeconds,
      onClose: () => offered === undo && offer(undefined),
      content: (
        <>
          {words}
          {address && (
            <Button type="link" size="small" href={address} onClick={() => message.destroy(toast)}>
              {t('common.view')}
            </Button>
          )}
          {undo && (
            <Button type="link" size="small" aria-keyshortcuts={keys} title={shown} onClick={undo}>
              {t('menu.button.undo')}
            </Button>
          )}
        </>
      ),
    });
  };
}

import { useCallback, useState } from 'react';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import type { SelectedRow } from '../../kit/list/types.ts';

/** A selected code; of one beyond the pages that were looked at only the id is known. */
export type SelectedCode = SelectedRow<LiveCode>;

/** What can be opened over the list: for one code, or for several at once. */
export type Dialog =
  | { kind: 'design' | 'share' | 'statistics' | 'visitors' | 'test' | 'versions'; code: LiveCode }
  | {
      kind: 'domain' | 'restriction' | 'log' | 'batch' | 'group' | 'internal_group' | 'transfer' | 'print' | 'look' | 'export';
      codes: readonly SelectedCode[];
    };

/** Opens a dialog; resolves to true when what it is for was done. */
export type OpenDialog = (dialog: Dialog) => Promise<boolean>;

type Opened = { dialog: Dialog; settle: (done: boolean) => void };

export type Dialogs = { present: Dialog | null; open: OpenDialog; done: () => void; close: () => void };

/** One dialog at a time; whoever opens it can wait for its end. */
export function useDialogs(): Dialogs {
  const [opened, setOpened] = useState<Opened | null>(null);
  const open = useCallback<OpenDialog>((dialog) => new Promise((settle) => setOpened({ dialog, settle })), []);
  return {
    present: opened?.dialog ?? null,
    open,
    done: () => opened?.settle(true),
    close() {
      opened?.settle(false);
      setOpened(null);
    },
  };
}

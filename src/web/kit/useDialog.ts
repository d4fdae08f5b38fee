import { useCallback, useState } from 'react';

type Opened<D> = { dialog: D; settle: (isDone: boolean) => void };

/** What stands open over a screen: one dialog at a time, which the next one replaces. */
export type DialogState<D> = {
  present: D | null;
  /** Resolves when the dialog ends: to true when what it is for was done. */
  open: (dialog: D) => Promise<boolean>;
  done: () => void;
  close: () => void;
};

export function useDialog<D>(): DialogState<D> {
  const [opened, setOpened] = useState<Opened<D> | null>(null);
  const open = useCallback((dialog: D) => new Promise<boolean>((settle) => setOpened({ dialog, settle })), []);
  return {
    present: opened?.dialog ?? null,
    open,
    done: () => opened?.settle(true),
    close() {
      opened?.settle(false);
      // What its end has opened meanwhile stays.
      setOpened((now) => (now === opened ? null : now));
    },
  };
}

import { useState } from 'react';
import { readLocal, writeLocal } from '../local.ts';

const key = 'menu.groups';

function readKept(): Record<string, boolean> {
  try {
    const kept: unknown = JSON.parse(readLocal(key) ?? '{}');
    const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
  } catch {
    return {};
  }
}

/** Which groups of the menu one opened or closed in this browser; undefined for those that nobody touched. */
export function useOpenGroups(): { isOpen: (group: string) => boolean | undefined; setOpen: (group: string, open: boolean) => void } {
  const [kept, setKept] = useState(readKept);
  return {
    isOpen: (group) => kept[group],
    setOpen(group, open) {
      const next = { ...readKept(), [group]: open };
      writeLocal(key, JSON.stringify(next));
      setKept(next);
    },
  };
}

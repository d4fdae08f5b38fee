const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** A letter with Ctrl, or with ⌘ where that is usual: as `aria-keyshortcuts` takes it, and as it is shown. */
export const shortcut = (letter: string): { keys: string; shown: string } =>
  isApple ? { keys: `Meta+${letter}`, shown: `⌘${letter}` } : { keys: `Control+${letter}`, shown: `Ctrl ${letter}` };

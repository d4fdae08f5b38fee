import {
  Drawer as AntDrawer,
  Dropdown as AntDropdown,
  Modal as AntModal,
  type DrawerProps,
  type DropdownProps,
  type ModalProps,
} from 'antd';
import { useEffect, useState } from 'react';

/** What had the focus when dialogs opened, the newest last: where one dialog followed another, its own opener is gone with the first. */
let openers: readonly (Element | null)[] = [];

/** antd returns the focus after its closing motion only, which a dialog that its parent takes away never comes to. */
function useReturnOfFocus() {
  const [way] = useState(() => {
    openers = [...openers.filter((opener) => opener?.isConnected), document.activeElement];
    return openers;
  });
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const opener = way.findLast((element) => element?.isConnected && element !== document.body);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    [way],
  );
}

/** antd's dialog, after which the focus is where it was, however it ends. */
export function Modal(props: ModalProps) {
  useReturnOfFocus();
  return <AntModal {...props} />;
}

/** The same at the side, so many pixels wide; in a narrow window a strip stays free, by which it is closed. */
export function Drawer({ size, ...props }: DrawerProps & { size: number }) {
  useReturnOfFocus();
  return <AntDrawer {...props} size={`min(96%, ${size}px)`} />;
}

/** The height that a menu has above or below the button that was just pressed; undefined where no button is known, as styles then say it. */
function roomBeside(button: Element | null): number | undefined {
  if (!(button instanceof HTMLButtonElement)) return undefined;
  const { top, bottom } = button.getBoundingClientRect();
  return Math.max(top, window.innerHeight - bottom) - 12;
}

/**
 * A menu on a button, as high as there is room. The button has the focus again once the menu closes: a dialog that was chosen there returns
 * it to the button.
 */
export function Dropdown({ menu, ...props }: DropdownProps) {
  const [maxHeight, setMaxHeight] = useState<number>();
  return (
    <AntDropdown
      trigger={['click']}
      autoFocus
      {...props}
      // The Enter that chooses must not press the button as well.
      menu={{ ...menu, style: { maxHeight }, onKeyDown: (event) => event.key === 'Enter' && event.preventDefault() }}
      onOpenChange={(isOpen, info) => {
        if (isOpen) setMaxHeight(roomBeside(document.activeElement));
        const isInMenu = document.activeElement?.closest('.ant-dropdown');
        if (!isOpen && isInMenu) document.querySelector<HTMLElement>('.ant-dropdown-open')?.focus();
        props.onOpenChange?.(isOpen, info);
      }}
    />
  );
}

import {
  Drawer as AntDrawer,
  Dropdown as AntDropdown,
  Modal as AntModal,
  type DrawerProps,
  type DropdownProps,
  type ModalProps,
} from 'antd';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useIsPhone } from '../look/media.ts';

/** What had the focus when dialogs opened, the newest last: where one dialog followed another, its own opener is gone with the first. */
let openers: readonly (Element | null)[] = [];

function currentOpeners(): readonly (Element | null)[] {
  openers = [...openers.filter((opener) => opener?.isConnected), document.activeElement];
  return openers;
}

/**
 * Where the focus was before a dialog, for when it is gone. antd would take it from a dialog that has followed this one meanwhile, and has
 * no way back from one that its parent takes away before its motion is over.
 * @returns the class by which the dialog is known, and what to call when it has closed
 */
function useReturnOfFocus(isOpen: boolean) {
  const rootClassName = `lc-dialog-${useId().replace(/\W/g, '')}`;
  const [opening, setOpening] = useState(() => ({ isOpen, way: isOpen ? currentOpeners() : [] }));
  const { way } = opening;
  if (opening.isOpen !== isOpen) setOpening({ isOpen, way: isOpen ? currentOpeners() : way });
  const giveBack = useEffectEvent(() => {
    const focused = document.activeElement;
    if (focused !== document.body && !focused?.closest(`.${rootClassName}`)) return;
    const opener = way.findLast((element) => element?.isConnected && element !== document.body);
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  });
  useEffect(() => giveBack, []);
  return { rootClassName, giveBack };
}

const keepsFocus = { focusTriggerAfterClose: false };

/** Dialogs appear where they stand. Growing, as antd has it, they take a button away between a quick user's press and its release. */
export const dialogMotion = 'ant-fade';

/** As wide as a question is that only asks. */
export const askWidth = 480;

/** antd's dialog, after which the focus is where it was, however it ends: as wide as the specification says, unless it is a small one. */
export function Modal({ width, style, ...props }: Omit<ModalProps, 'rootClassName' | 'focusable'>) {
  const { rootClassName, giveBack } = useReturnOfFocus(props.open ?? false);
  const isPhone = useIsPhone();
  return (
    <AntModal
      width={width ?? (isPhone ? '96vw' : '90vw')}
      style={{ maxWidth: '96vw', ...style }}
      transitionName={dialogMotion}
      {...props}
      rootClassName={rootClassName}
      focusable={keepsFocus}
      afterClose={() => {
        giveBack();
        props.afterClose?.();
      }}
    />
  );
}

/** The same at the side, so many pixels wide; in a narrow window a strip stays free, by which it is closed. */
export function Drawer({ size, ...props }: Omit<DrawerProps, 'rootClassName' | 'focusable'> & { size: number }) {
  const { rootClassName, giveBack } = useReturnOfFocus(props.open ?? false);
  return (
    <AntDrawer
      {...props}
      rootClassName={rootClassName}
      focusable={keepsFocus}
      size={`min(96%, ${size}px)`}
      afterOpenChange={(isOpen) => {
        if (!isOpen) giveBack();
        props.afterOpenChange?.(isOpen);
      }}
    />
  );
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

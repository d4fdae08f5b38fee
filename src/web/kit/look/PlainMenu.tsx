import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './plain.css';

type Item = { key: string; label: ReactNode; icon?: ReactNode };
type PlainMenuProps = { label: string; icon: ReactNode; items: readonly Item[]; chosen: string; onChoose: (key: string) => void };

/** A button with a menu of choices, in plain elements: the page of the login is small because nothing on it needs a library of parts. */
export function PlainMenu({ label, icon, items, chosen, onChoose }: PlainMenuProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!isOpen) return;
    const list = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    (list.find((entry) => entry.ariaCurrent === 'true') ?? list[0])?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  function close() {
    setIsOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const list = entries();
    const at = list.findIndex((entry) => entry.matches(':focus'));
    const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 + list.length, Home: 0, End: list.length - 1 };
    const to = targets[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') return setIsOpen(false);
    else if (to !== undefined) list[to % list.length]?.focus();
    else return;
    event.preventDefault();
  }

  return (
    <div className="lc-plain-menu" ref={root}>
      <button
        ref={button}
        type="button"
        className="lc-plain-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {icon}
      </button>
      {isOpen && (
        <div id={id} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-current={item.key === chosen}
              onClick={() => {
                close();
                onChoose(item.key);
              }}
            >
              {item.icon}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

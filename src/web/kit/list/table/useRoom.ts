import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react';

/** As the last list had it: the next one mostly has the same, and is then drawn once instead of twice. */
let lastRoom = 0;

/** The height, in pixels, that an element leaves below the table head inside it; followed, as soon as nothing more urgent is to be drawn, while it is on. */
export function useRoom(isOn: boolean): { frame: RefObject<HTMLDivElement | null>; room: number } {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(lastRoom);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!isOn || !element) return;
    const measure = () => {
      lastRoom = element.clientHeight - (element.querySelector('thead')?.clientHeight ?? 0);
      startTransition(() => setRoom(lastRoom));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [isOn]);
  return { frame, room };
}

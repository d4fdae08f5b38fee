import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The height, in pixels, that an element leaves below the table head inside it; followed while it is on. */
export function useRoom(isOn: boolean): { frame: RefObject<HTMLDivElement | null>; room: number } {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!isOn || !element) return;
    const measure = () => setRoom(element.clientHeight - (element.querySelector('thead')?.clientHeight ?? 0));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [isOn]);
  return { frame, room };
}

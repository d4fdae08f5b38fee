import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react';

/** As the last list had them: the next one mostly has the same, and is then drawn once instead of twice. */
let last = { height: 0, width: 0 };

/** The pixels that an element is wide, and leaves below the table head inside it; followed as soon as nothing more urgent is to be drawn. */
export function useRoom(): { frame: RefObject<HTMLDivElement | null>; room: { height: number; width: number } } {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(last);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const height = element.clientHeight - (element.querySelector('thead')?.clientHeight ?? 0);
      const width = element.clientWidth;
      const measured = { height, width };
      last = measured;
      startTransition(() => setRoom((room) => (room.height === height && room.width === width ? room : measured)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return { frame, room };
}

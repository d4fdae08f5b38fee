import { useEffect, useRef, useState } from 'react';
import { useReducedMotion } from '../../kit/charts/useReducedMotion.ts';

const milliseconds = 500;

/** A figure that walks to its next value instead of leaping there, unless motion is unwanted. */
export function useGentle(value: number | undefined): number | undefined {
  const isStill = useReducedMotion();
  const [shown, setShown] = useState(value);
  const present = useRef(value);

  useEffect(() => {
    const from = present.current;
    const show = (next: number | undefined) => {
      present.current = next;
      setShown(next);
    };
    if (isStill || from === undefined || value === undefined || from === value) {
      show(value);
      return;
    }
    const start = performance.now();
    let frame = requestAnimationFrame(function walk(now) {
      const share = Math.min(1, Math.max(0, (now - start) / milliseconds));
      show(Math.round(from + (value - from) * (1 - (1 - share) ** 3)));
      if (share < 1) frame = requestAnimationFrame(walk);
    });
    return () => cancelAnimationFrame(frame);
  }, [value, isStill]);

  return shown;
}

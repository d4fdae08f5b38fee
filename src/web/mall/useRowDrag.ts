import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** Where a row would come to stand: before, in or after another one. */
export type Gap = -1 | 0 | 1;
export type Place = { id: number; gap: Gap };

type Drag = { id: number; x: number; y: number; place: Place | null };
type Options = {
  /** Around the rows, which name themselves by `data-row`. */
  box: RefObject<HTMLElement | null>;
  /** What is meant where the pointer is on a row; null where it cannot stand. */
  placeAt: (id: number, target: number, gap: Gap) => Place | null;
  drop: (id: number, place: Place) => void;
  /** The pointer has rested in the middle of a row. */
  rest: (target: number) => void;
};

const minPixels = 5;
const restMilliseconds = 600;
const edgePixels = 48;
const scrollPixels = 10;
/** The upper and the lower part of a row mean beside it, what is between means into it. */
const edgeShare = 0.28;

function rowAt(box: HTMLElement, y: number): { id: number; gap: Gap } | null {
  for (const row of box.querySelectorAll<HTMLElement>('[data-row]')) {
    const { top, bottom, height } = row.getBoundingClientRect();
    if (y < top || y >= bottom) continue;
    const share = (y - top) / height;
    return { id: Number(row.dataset.row), gap: share < edgeShare ? -1 : share > 1 - edgeShare ? 1 : 0 };
  }
  return null;
}

/**
 * Drags rows of a tree by mouse, pen or finger; the height on a row alone decides where one comes to stand. antd's tree takes the distance
 * to the right for that, which nobody finds.
 */
export function useRowDrag({ box, placeAt, drop, rest }: Options) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const calls = useRef({ placeAt, drop, rest });
  calls.current = { placeAt, drop, rest };
  const end = useRef<() => void>(() => {});
  const wasDragged = useRef(false);
  useEffect(() => () => end.current(), []);

  function start(event: ReactPointerEvent, id: number) {
    if (event.button !== 0 || !event.isPrimary) return;
    end.current();
    wasDragged.current = false;
    end.current = follow(event.nativeEvent, {
      move(x, y) {
        wasDragged.current = true;
        const at = box.current && rowAt(box.current, y);
        const place = at && calls.current.placeAt(id, at.id, at.gap);
        setDrag({ id, x, y, place });
        return place;
      },
      scrolled: () => box.current?.querySelector<HTMLElement>('.ant-tree-list-holder') ?? null,
      rest: (target) => calls.current.rest(target),
      end(place) {
        setDrag(null);
        // The click that a lifted mouse button makes comes first.
        setTimeout(() => {
          wasDragged.current = false;
        });
        if (place) calls.current.drop(id, place);
      },
    });
  }
  return { drag, start, wasDragged: () => wasDragged.current };
}

type Followed = {
  move: (x: number, y: number) => Place | null;
  scrolled: () => HTMLElement | null;
  rest: (target: number) => void;
  end: (place: Place | null) => void;
};

/** Follows one pointer until it is lifted or Escape is pressed. @returns what ends it without a drop */
function follow(begun: PointerEvent, on: Followed): () => void {
  let [x, y] = [begun.clientX, begun.clientY];
  let isDragging = false;
  let place: Place | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const listening = new AbortController();

  function settle() {
    const before = place;
    place = on.move(x, y);
    if (before?.id === place?.id && before?.gap === place?.gap) return;
    clearTimeout(resting);
    if (place?.gap === 0) resting = setTimeout(on.rest, restMilliseconds, place.id);
  }
  /** Near the upper or lower edge of the tree what is out of sight comes into it. */
  function scroll() {
    const holder = on.scrolled();
    if (holder) {
      const { top, bottom } = holder.getBoundingClientRect();
      const by = y < top + edgePixels ? -scrollPixels : y > bottom - edgePixels ? scrollPixels : 0;
      const before = holder.scrollTop;
      if (by !== 0) holder.scrollTop += by;
      if (holder.scrollTop !== before) settle();
    }
    frame = requestAnimationFrame(scroll);
  }
  function finish(dropped: Place | null) {
    listening.abort();
    clearTimeout(resting);
    cancelAnimationFrame(frame);
    if (isDragging) on.end(dropped);
  }
  function move(event: PointerEvent) {
    if (event.pointerId !== begun.pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    if (!isDragging) {
      if (Math.hypot(x - begun.clientX, y - begun.clientY) < minPixels) return;
      isDragging = true;
      frame = requestAnimationFrame(scroll);
    }
    settle();
  }
  const { signal } = listening;
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', (event) => event.pointerId === begun.pointerId && finish(place), { signal });
  window.addEventListener('pointercancel', () => finish(null), { signal });
  window.addEventListener('blur', () => finish(null), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && finish(null), { signal });
  return () => finish(null);
}

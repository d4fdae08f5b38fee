/** What shows its whole text by itself, or has none of its own. */
const told = '[title], .lc-copy, input, textarea';
const ours = new WeakSet<Element>();

const isCut = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis';

/** The text around the pointer that is cut, if any: the dots may be those of a cell around what one points at. */
function cutAround(pointed: Element): Element | undefined {
  for (let element: Element | null = pointed, depth = 0; element && depth < 4; element = element.parentElement, depth += 1)
    if (isCut(element)) return element;
  return undefined;
}

function tellWhole({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const cut = cutAround(target);
  const holder = target.closest(told);
  if (holder && ours.has(holder)) {
    // What is cut may have another text by now, or room enough.
    holder.removeAttribute('title');
    ours.delete(holder);
  } else if (holder) return;
  if (!cut || cut.closest(told) || cut.querySelector(told)) return;
  cut.setAttribute('title', (cut.textContent ?? '').trim());
  ours.add(cut);
}

/** Lets texts that end in dots be read whole by pointing at them, wherever they stand. */
export function tellCutTexts(): () => void {
  document.addEventListener('mouseover', tellWhole, { passive: true });
  return () => document.removeEventListener('mouseover', tellWhole);
}

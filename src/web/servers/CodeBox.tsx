import type { ReactNode, Ref } from 'react';

type CodeBoxProps = { label: string; children: ReactNode; ref?: Ref<HTMLElement>; onScroll?: () => void };

/** Text of a machine as it is, in a box that scrolls. */
export function CodeBox({ label, children, ref, onScroll }: CodeBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section ref={ref} className="lc-run-output" tabIndex={0} aria-label={label} onScroll={onScroll}>
      <pre>{children}</pre>
    </section>
  );
}

import type { ReactNode } from 'react';
import './money.css';

/** What a list comes to, in a line above it: labels and figures. Nothing yet: room for them. */
export function SumList({ sums }: { sums: readonly (readonly [label: string, value: ReactNode])[] | undefined }) {
  return (
    <dl className="lc-money-sums" aria-busy={sums === undefined}>
      {sums?.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import { Copyable } from './Copyable.tsx';

/** The name in its own script with the registered one below, so that nobody takes one domain for another; a dash where there is none. */
export function Host({ row, maximum }: { row: { host: string | null; host_unicode: string | null }; maximum?: number }) {
  const { host, host_unicode } = row;
  if (host === null) return <span className="lc-soft">–</span>;
  if (host_unicode === null) return <Copyable value={host} {...(maximum ? { maximum } : {})} />;
  return (
    <div className="lc-host">
      <Copyable value={host} text={host_unicode} />
      <span className="lc-soft lc-code">{host}</span>
    </div>
  );
}

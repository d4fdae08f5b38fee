import './groups.css';

/** A group by its colour and name. */
export function GroupTag({ group }: { group: { name: string; color: string } }) {
  return (
    <span className="lc-code-group" title={group.name}>
      <span className="lc-code-group-dot" style={{ background: group.color }} aria-hidden />
      <span className="lc-code-group-name">{group.name}</span>
    </span>
  );
}

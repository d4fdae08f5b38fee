import { InputNumber } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useSession } from '../calls/session.tsx';
import { Num } from '../feedback.ts';

type RankCellProps = {
  value: number;
  /** What is ranked, for those who don't see the row. */
  name: string;
  node: NodeKey;
  save: (sort: number) => Promise<unknown>;
};

/** A row's rank, changed in its place: Enter or leaving the field keeps it, Escape gives it up. */
export function RankCell({ value, name, node, save }: RankCellProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const [typed, setTyped] = useState<number | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  if (!allows(node)) return <Num value={value} />;

  async function keep() {
    if (typed !== null && typed !== value) {
      setIsSaving(true);
      await save(typed);
      setIsSaving(false);
    }
    setTyped(null);
  }
  return (
    // The row may react to clicks; the field must not do both.
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the field inside.
    <span onClick={(event) => event.stopPropagation()}>
      <InputNumber
        className="lc-rank"
        size="small"
        min={0}
        max={1_000_000_000}
        precision={0}
        controls={false}
        disabled={isSaving}
        aria-label={t('common.crud.rank_of', { name })}
        value={typed ?? value}
        onChange={setTyped}
        onBlur={() => void keep()}
        onPressEnter={(event) => event.currentTarget.blur()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(null);
        }}
      />
    </span>
  );
}

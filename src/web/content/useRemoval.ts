import { useTranslation } from 'react-i18next';
import { useConfirm } from '../kit/confirm.tsx';

type Words = { one: string; many: string; content: string };

/** Asks before rows are removed, by name where it is one; resolves to whether they were. */
export function useRemoval(words: Words, remove: (ids: number[]) => Promise<unknown>) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return async (rows: readonly { id: number; name: string }[]): Promise<boolean> => {
    const title = rows.length === 1 ? t(words.one, { name: rows[0]?.name ?? '' }) : t(words.many, { number: rows.length });
    const agreed = await confirm({ title, content: words.content, confirm: 'common.remove', danger: true });
    return agreed && (await remove(rows.map(({ id }) => id))) !== undefined;
  };
}

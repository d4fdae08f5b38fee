import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { useCall } from '../../kit/calls/query.ts';
import { GroupTag } from './GroupTag.tsx';

export type Grouping = 'group' | 'internal_code_grouping';

type GroupSelectProps = {
  grouping?: Grouping;
  /** Whose groups are offered; undefined: the caller's own, of an administrator all users'. */
  ownerId?: number | undefined;
  /** The group the code is in: it is named even where it isn't offered. */
  present?: { id: number; name: string; color: string } | null;
  id?: string;
  value?: number | null;
  onChange?: (value: number | null) => void;
  'aria-describedby'?: string;
};

/** One of the owner's groups, or none. */
export function GroupSelect({ grouping = 'group', ownerId, present, value, onChange, ...control }: GroupSelectProps) {
  const { t } = useTranslation();
  const found = useCall(api[grouping].options, ownerId === undefined ? {} : { owner_id: ownerId });
  const offered = found.data?.content ?? [];
  const hasOwners = new Set(offered.map((group) => group.owner_account)).size > 1;
  const groups = present && !offered.some(({ id }) => id === present.id) ? [{ ...present, owner_account: null }, ...offered] : offered;
  return (
    <Select
      {...control}
      className="lc-wide"
      // Where there is no group, a cross would clear nothing; on touch screens it stands there always.
      allowClear={typeof value === 'number'}
      // Nothing chosen yet is something else than "no group".
      value={value}
      loading={found.isFetching}
      placeholder={t('common.choose')}
      showSearch={{ optionFilterProp: 'name' }}
      options={[
        { value: null, name: t('group.none'), label: <span className="lc-soft">{t('group.none')}</span> },
        ...groups.map(({ owner_account, ...group }) => {
          const name = hasOwners && owner_account ? `${group.name} · ${owner_account}` : group.name;
          return { value: group.id, name, label: <GroupTag group={{ ...group, name }} /> };
        }),
      ]}
      onChange={(next: number | null | undefined) => onChange?.(next ?? null)}
      notFoundContent={found.isError ? failureText(found.error) : t('common.nothing_found')}
    />
  );
}

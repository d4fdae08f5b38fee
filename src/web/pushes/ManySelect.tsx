import { Select, Spin } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ControlProps } from '../kit/form/pickers.tsx';
import { useRemoteOptions } from '../kit/form/RemoteSelect.tsx';
import type { RemoteOptions } from '../kit/options.ts';
import { useDebounced } from '../kit/useDebounced.ts';

type Known = readonly { id: number; name: string }[];
type Props = ControlProps<number[] | null> & { source: RemoteOptions; known: Known };

/** Several rows of a list that is searched as one types; none of them stands for all, as null. */
export function ManySelect({ id, value, onChange, onBlur, source, known }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const found = useRemoteOptions(source, useDebounced(search.trim(), 300));
  // What was chosen keeps its name when another search no longer finds it.
  const [names, setNames] = useState<ReadonlyMap<number, string>>(() => new Map(known.map((one) => [one.id, one.name])));
  const chosen = value ?? [];
  const offered = (found.data ?? []).map((option) => ({ value: Number(option.value), label: option.label }));
  const kept = chosen
    .filter((one) => !offered.some((option) => option.value === one))
    .map((one) => ({ value: one, label: names.get(one) ?? `#${one}` }));
  return (
    <Select
      id={id}
      mode="multiple"
      className="lc-wide"
      value={chosen}
      options={[...kept, ...offered]}
      placeholder={t('shield_push.all')}
      allowClear
      maxTagCount="responsive"
      showSearch={{ onSearch: setSearch, filterOption: false }}
      loading={found.isFetching}
      onBlur={onBlur}
      onChange={(next) => {
        setNames(new Map([...names, ...offered.map((option) => [option.value, option.label] as const)]));
        onChange?.(next.length === 0 ? null : next);
      }}
      notFoundContent={found.isFetching ? <Spin size="small" /> : t('common.nothing_found')}
    />
  );
}

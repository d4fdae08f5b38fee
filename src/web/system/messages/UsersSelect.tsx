import { Select, Spin } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { useRemoteOptions } from '../../kit/form/RemoteSelect.tsx';
import { type Option, remoteOptions } from '../../kit/options.ts';
import { useDebounced } from '../../kit/useDebounced.ts';

const users = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.name ? `${user.account} · ${user.name}` : user.account }),
);

/** Several users, found by their account. The names of those chosen stay known while others are looked for. */
export function UsersSelect({ id, value, onChange, onBlur }: ControlProps<number[]>) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const found = useRemoteOptions(users, useDebounced(search.trim(), 300));
  const offered = found.data ?? [];
  const options = [...chosen.filter((option) => !offered.some((other) => other.value === option.value)), ...offered];
  return (
    <Select
      id={id}
      mode="multiple"
      className="lc-wide"
      value={value ?? []}
      options={options as { value: number; label: string }[]}
      placeholder={t('message_list.users_placeholder')}
      maxTagCount={20}
      showSearch={{ onSearch: setSearch, filterOption: false, searchValue: search }}
      onChange={(next) => {
        setChosen(options.filter((option) => next.includes(option.value as number)));
        setSearch('');
        onChange?.(next);
      }}
      onBlur={onBlur}
      notFoundContent={found.isFetching ? <Spin size="small" /> : t('common.nothing_found')}
    />
  );
}

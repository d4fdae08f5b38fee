import { Select, Spin } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import type { ControlProps } from '../kit/form/controls.tsx';
import { useRemoteOptions } from '../kit/form/RemoteSelect.tsx';
import { type Option, remoteOptions } from '../kit/options.ts';
import { useDebounced } from '../kit/useDebounced.ts';

export const codeOptions = remoteOptions(
  api.today_statistics.code_options,
  (search) => (search ? { search } : {}),
  (code) => ({ value: code.id, label: `${code.name} (${code.file_name})` }),
);

/** Live codes, found as one types. Those that came from elsewhere are shown by what is known of them. */
export function CodesSelect({ id, value, onChange, known = [] }: ControlProps<number[]> & { known?: readonly Option[] }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [seen, setSeen] = useState<Option[]>([...known]);
  const found = useRemoteOptions(codeOptions, useDebounced(search.trim(), 300));
  const options = found.data ?? [];
  const chosen = seen.filter((option) => value?.includes(Number(option.value)) && !options.some((other) => other.value === option.value));
  return (
    <Select
      id={id}
      mode="multiple"
      value={value ?? []}
      options={[...chosen, ...options].map((option) => ({ value: Number(option.value), label: option.label }))}
      placeholder={t('short_code.codes_placeholder')}
      maxTagCount={8}
      showSearch={{ onSearch: setSearch, filterOption: false }}
      onChange={(next: number[], picked) => {
        const list = [picked].flat().flatMap((option) => (option ? [{ value: option.value, label: option.label }] : []));
        setSeen((before) => [...before, ...list]);
        onChange?.(next);
      }}
      notFoundContent={found.isFetching ? <Spin size="small" /> : t('common.nothing_found')}
    />
  );
}

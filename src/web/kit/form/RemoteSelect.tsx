import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select, Spin } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { holdsTyped, type Option, type RemoteOptions } from '../options.ts';
import { useText } from '../texts/text.ts';
import { useDebounced } from '../useDebounced.ts';

type RemoteSelectProps = {
  source: RemoteOptions;
  id?: string;
  value?: Option['value'] | null;
  onChange?: (value: Option['value'] | undefined, label: string | undefined) => void;
  placeholder?: string;
  clearable?: boolean;
  /** Entries that stand above the server's ("platform pool"), and labels of values chosen earlier. */
  known?: readonly Option[];
  className?: string;
  'aria-label'?: string;
};

/** The choices that match a search; the former ones stay until they are there. */
export function useRemoteOptions(source: RemoteOptions, search: string) {
  return useQuery({
    queryKey: ['options', source.key, search],
    queryFn: ({ signal }) => source.load(search, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** A choice among rows that the server finds as one types. */
export function RemoteSelect({ source, value, onChange, placeholder, clearable = true, known = [], ...rest }: RemoteSelectProps) {
  const { t } = useTranslation();
  const text = useText();
  const [search, setSearch] = useState('');
  const sought = useDebounced(search.trim(), 300);
  const found = useRemoteOptions(source, sought);
  const fromServer = found.data ?? [];
  const extra = known.filter((option) => !fromServer.some((other) => other.value === option.value));
  const options = [...extra, ...fromServer].map((option) => ({ value: option.value, label: text(option.label) }));
  const isLabelled = value === undefined || value === null || options.some((option) => option.value === value);
  // While its name is unknown, a chosen id is shown as a number with a sign before it, not as a bare figure.
  const shown = isLabelled || found.isPending ? options : [{ value, label: `#${String(value)}` }, ...options];

  return (
    <Select
      {...rest}
      value={found.isPending && !isLabelled ? undefined : (value ?? undefined)}
      options={shown as { value: string; label: string }[]}
      placeholder={placeholder ? text(placeholder) : t('common.choose')}
      allowClear={clearable}
      showSearch={{ onSearch: setSearch, filterOption: holdsTyped }}
      loading={found.isFetching}
      onChange={(next) => {
        setSearch('');
        onChange?.(next, options.find((option) => option.value === next)?.label);
      }}
      notFoundContent={found.isFetching ? <Spin size="small" /> : found.isError ? failureText(found.error) : t('common.nothing_found')}
    />
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select, Spin } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { useDebounced } from '../useDebounced.ts';
import { maxCodes } from './codes.ts';
import './code-select.css';

type CodeOption = { id: number; name: string; file_name: string };

/** The codes one may choose from, most visited first, as far as they match what is sought. */
export function useCodeOptions(search = '') {
  return useQuery({
    queryKey: ['today_statistics', 'code_options', { search }],
    queryFn: ({ signal }) => api.today_statistics.code_options(search === '' ? {} : { search }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

type CodeSelectProps = {
  value: readonly number[];
  onChange: (ids: readonly number[]) => void;
  /** Codes whose names are known from elsewhere. */
  known: readonly CodeOption[];
};

/** Chooses the codes whose figures are shown; none chosen is all of them. */
export function CodeSelect({ value, onChange, known }: CodeSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const found = useCodeOptions(useDebounced(search.trim(), 300));
  const offered = found.data?.content ?? [];
  const names = new Map([...known, ...offered].map((code) => [code.id, code]));
  const nameOf = (id: number) => names.get(id)?.name || names.get(id)?.file_name || `#${id}`;

  return (
    <Select<number[]>
      mode="multiple"
      className="lc-code-select"
      aria-label={t('today_statistics.codes.choose')}
      placeholder={t('menu.qr_code_list_admin')}
      value={[...value]}
      onChange={(ids) => {
        setSearch('');
        onChange(ids);
      }}
      options={offered.map((code) => ({ value: code.id, label: code.name || code.file_name, file_name: code.file_name }))}
      labelRender={({ value: id }) => nameOf(Number(id))}
      optionRender={({ data }) => (
        <span className="lc-code-select-option">
          <span>{data.label}</span>
          <span className="lc-soft lc-code">{data.file_name}</span>
        </span>
      )}
      showSearch={{ onSearch: setSearch, filterOption: false, searchValue: search }}
      maxCount={maxCodes}
      maxTagCount="responsive"
      maxTagPlaceholder={(hidden) => t('today_statistics.codes.more', { number: hidden.length })}
      allowClear
      loading={found.isFetching}
      notFoundContent={found.isFetching ? <Spin size="small" /> : found.isError ? failureText(found.error) : t('common.nothing_found')}
    />
  );
}

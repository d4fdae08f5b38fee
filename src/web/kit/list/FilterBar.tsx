import { CloseOutlined, FilterOutlined } from '@ant-design/icons';
import { Badge, Button, Input, Select } from 'antd';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrorText } from '../calls/failure.ts';
import { RemoteSelect, useRemoteOptions } from '../form/RemoteSelect.tsx';
import type { RemoteOptions } from '../options.ts';
import { useText } from '../texts/text.ts';
import type { Filter } from './types.ts';
import type { ListState } from './useListState.ts';

type FilterProps<F extends Filter = Filter> = { filter: F; state: ListState };

// Its calendar weighs as much as the rest of a list, and few lists have one.
const RangeFilter = lazy(async () => ({ default: (await import('./RangeFilter.tsx')).RangeFilter }));

/** A text filter, applied 300 ms after the last key; the address follows without a step for Back. */
function TextFilter({ filter, state }: FilterProps<Extract<Filter, { kind: 'text' }>>) {
  const text = useText();
  const applied = String(state.values[filter.key] ?? '');
  const [typed, setTyped] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isComposing = useRef(false);
  // Back, a removed chip or "clear" changes the address first; the field follows.
  useEffect(() => setTyped(applied), [applied]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function apply(value: string, after: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => state.setFilters({ [filter.key]: value.trim() || undefined }, true), after);
  }
  return (
    <Input
      className="lc-filter lc-filter-text"
      value={typed}
      allowClear
      aria-label={text(filter.label)}
      placeholder={text(filter.placeholder ?? filter.label)}
      onCompositionStart={() => {
        isComposing.current = true;
      }}
      onCompositionEnd={(event) => {
        isComposing.current = false;
        apply(event.currentTarget.value, 300);
      }}
      onChange={(event) => {
        setTyped(event.target.value);
        if (!isComposing.current) apply(event.target.value, 300);
      }}
      onPressEnter={(event) => apply(event.currentTarget.value, 0)}
    />
  );
}

function FilterControl({ filter, state, onLabel }: FilterProps & { onLabel: (value: string, label: string) => void }) {
  const { t } = useTranslation();
  const text = useText();
  const label = text(filter.label);
  const value = state.values[filter.key];
  switch (filter.kind) {
    case 'text':
      return <TextFilter filter={filter} state={state} />;
    case 'date_range':
      return (
        <Suspense fallback={<Input className="lc-filter lc-filter-range" disabled aria-label={label} placeholder={label} />}>
          <RangeFilter filter={filter} state={state} />
        </Suspense>
      );
    case 'remote':
      return (
        <RemoteSelect
          className="lc-filter"
          source={filter.source}
          value={value}
          placeholder={label}
          aria-label={label}
          onChange={(next, words) => {
            if (next !== undefined && words) onLabel(`${filter.key}=${next}`, words);
            state.setFilters({ [filter.key]: next });
          }}
        />
      );
    case 'boolean':
    case 'select': {
      const options =
        filter.kind === 'select'
          ? filter.options
          : [
              { value: true, label: filter.yes ?? t('common.yes') },
              { value: false, label: filter.no ?? t('common.no') },
            ];
      return (
        <Select
          className="lc-filter"
          value={value as string | undefined}
          allowClear
          aria-label={label}
          placeholder={label}
          popupMatchSelectWidth={false}
          options={options.map((option) => ({ value: option.value as string, label: text(option.label) }))}
          onChange={(next) => state.setFilters({ [filter.key]: next })}
        />
      );
    }
  }
}

/** The name of a chosen row, once the server told it; a chosen id has a sign before it until then. */
function RemoteLabel({ source, value }: { source: RemoteOptions; value: unknown }) {
  const text = useText();
  const found = useRemoteOptions(source, '').data?.find((option) => option.value === value);
  return found ? text(found.label) : `#${String(value)}`;
}

/** Every filter in use as a chip that takes it away. */
function Chips({ filters, state, labels }: { filters: readonly Filter[]; state: ListState; labels: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const text = useText();
  function wordsOf(filter: Filter): ReactNode {
    const value = state.values[filter.key];
    if (filter.kind === 'date_range') return [value ?? '…', state.values[filter.to] ?? '…'].join(' – ');
    if (filter.kind === 'select') return text(filter.options.find((option) => option.value === value)?.label ?? String(value));
    if (filter.kind === 'boolean') return text((value ? filter.yes : filter.no) ?? (value ? 'common.yes' : 'common.no'));
    if (filter.kind === 'remote') return labels.get(`${filter.key}=${value}`) ?? <RemoteLabel source={filter.source} value={value} />;
    return String(value);
  }
  // A search's label says where it looks, which is too long for a chip.
  const nameOf = (filter: Filter) => (filter.kind === 'text' && !filter.placeholder ? t('common.filters.search') : text(filter.label));
  const used = filters.filter((filter) => filter.key in state.values || (filter.kind === 'date_range' && filter.to in state.values));
  if (used.length === 0) return null;
  return (
    <ul className="lc-chips" aria-label={t('common.filters.used')}>
      {used.map((filter) => (
        <li key={filter.key} className="lc-chip">
          <span className="lc-soft">{nameOf(filter)}</span> <b>{wordsOf(filter)}</b>
          <button
            type="button"
            aria-label={t('common.filters.remove', { name: text(filter.label) })}
            onClick={() =>
              state.setFilters({ [filter.key]: undefined, ...(filter.kind === 'date_range' ? { [filter.to]: undefined } : {}) })
            }
          >
            <CloseOutlined aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <Button size="small" type="link" onClick={state.clear}>
          {t('common.filters.clear')}
        </Button>
      </li>
    </ul>
  );
}

type FilterBarProps = {
  filters: readonly Filter[];
  state: ListState;
  isPhone: boolean;
  tools: ReactNode;
  /** What the server found wrong, by the filter's key. */
  faults?: Readonly<Record<string, string>> | undefined;
};

/** The filters in one row with the list's tools at its right; the rest behind "more"; what is in use as chips below. */
export function FilterBar({ filters, state, isPhone, tools, faults = {} }: FilterBarProps) {
  const text = useText();
  const { t } = useTranslation();
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map());
  const hidden = filters.filter((filter, at) => (isPhone ? at > 0 : filter.more));
  const usedHidden = hidden.filter((filter) => filter.key in state.values).length;
  const [isOpen, setIsOpen] = useState(usedHidden > 0 && !isPhone);
  const control = (filter: Filter) => (
    <FilterControl
      key={filter.key}
      filter={filter}
      state={state}
      onLabel={(value, words) => setLabels((present) => new Map(present).set(value, words))}
    />
  );
  return (
    <div className="lc-filters">
      <div className="lc-filter-row">
        <search className="lc-filter-row">
          {filters.filter((filter) => !hidden.includes(filter)).map(control)}
          {hidden.length > 0 && (
            <Badge count={isOpen ? 0 : usedHidden} size="small">
              <Button icon={<FilterOutlined />} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                {t(isPhone ? 'common.filters.title' : 'common.filters.more')}
              </Button>
            </Badge>
          )}
        </search>
        <div className="lc-tools">{tools}</div>
      </div>
      {isOpen && hidden.length > 0 && <search className="lc-filter-row lc-filter-more">{hidden.map(control)}</search>}
      {filters
        .filter((filter) => filter.key in faults)
        .map((filter) => (
          <p key={filter.key} className="lc-filter-fault" role="alert">
            {text(filter.label)}: {fieldErrorText(faults[filter.key] ?? '')}
          </p>
        ))}
      <Chips filters={filters} state={state} labels={labels} />
    </div>
  );
}

import dayjs from 'dayjs';
import { useSearchParams } from 'react-router';
import {
  type Comparison,
  comparisons,
  type FilterDimension,
  filterDimensions,
  maxFilterValues,
  maxStatisticsDays,
  type StatisticsStep,
  statisticsSteps,
  type VisitFilters,
} from '../../../contract/visits/historical-statistics.ts';
import { codesIn } from '../codes/codes.ts';
import { presetsAhead, rangePresets } from '../list/ranges.ts';
import { useFormat } from '../texts/format.ts';

/** Days of the site's time zone, both included. */
export type Range = { from: string; to: string };

/** The specification's ranges, by their names. */
export function presetsOf(today: string) {
  return [...rangePresets(today), ...presetsAhead(today).filter(({ key }) => key !== 'today')];
}
export type RangeKind = ReturnType<typeof presetsOf>[number]['key'] | 'custom';

export type WorkbenchState = {
  kind: RangeKind;
  range: Range;
  compare: Comparison | undefined;
  step: StatisticsStep | undefined;
  codes: number[];
  owner: number | undefined;
  filters: VisitFilters;
};

const isDay = (value: string | null): value is string => value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && dayjs(value).isValid();

function rangeIn(params: URLSearchParams, today: string, usual: RangeKind): Pick<WorkbenchState, 'kind' | 'range'> {
  const presets = presetsOf(today);
  const [from, to] = [params.get('from'), params.get('to')];
  if (params.get('range') === 'custom' && isDay(from) && isDay(to) && from <= to) {
    const earliest = dayjs(to)
      .subtract(maxStatisticsDays - 1, 'day')
      .format('YYYY-MM-DD');
    // Dates as `YYYY-MM-DD` sort as texts.
    return { kind: 'custom', range: { from: [from, earliest].sort()[1] ?? from, to } };
  }
  const preset = presets.find(({ key }) => key === params.get('range')) ?? presets.find(({ key }) => key === usual);
  return { kind: preset?.key ?? 'today', range: { from: preset?.from ?? today, to: preset?.to ?? today } };
}

function filtersIn(params: URLSearchParams): VisitFilters {
  const filters: VisitFilters = {};
  for (const text of params.getAll('f')) {
    const [name, ...rest] = text.split(':');
    const dimension = filterDimensions.find((one) => one === name);
    if (!dimension || rest.length === 0) continue;
    const values = new Set([...(filters[dimension] ?? []), rest.join(':').slice(0, 300)]);
    if (values.size <= maxFilterValues) filters[dimension] = [...values];
  }
  return filters;
}

/** What an address asks for; what it says wrongly is left out, so that a mistyped one still shows figures. */
export function readState(params: URLSearchParams, today: string, usual: RangeKind): WorkbenchState {
  const owner = params.get('owner');
  return {
    ...rangeIn(params, today, usual),
    compare: comparisons.find((one) => one === params.get('compare')),
    step: statisticsSteps.find((one) => one === params.get('step')),
    codes: codesIn(params.get('codes')),
    owner: owner !== null && /^[1-9]\d{0,14}$/.test(owner) ? Number(owner) : undefined,
    filters: filtersIn(params),
  };
}

const setOrDelete = (params: URLSearchParams, key: string, value: string | undefined) => {
  if (value === undefined || value === '') params.delete(key);
  else params.set(key, value);
};

/** The address after a change; what the change does not name stays. */
export function writeState(params: URLSearchParams, change: Partial<WorkbenchState>): URLSearchParams {
  const next = new URLSearchParams(params);
  if (change.kind) {
    next.set('range', change.kind);
    setOrDelete(next, 'from', change.kind === 'custom' ? change.range?.from : undefined);
    setOrDelete(next, 'to', change.kind === 'custom' ? change.range?.to : undefined);
  }
  if ('compare' in change) setOrDelete(next, 'compare', change.compare);
  if ('step' in change) setOrDelete(next, 'step', change.step);
  if (change.codes) setOrDelete(next, 'codes', change.codes.join('-'));
  if ('owner' in change) setOrDelete(next, 'owner', change.owner === undefined ? undefined : String(change.owner));
  if (change.filters) {
    next.delete('f');
    for (const [dimension, values] of Object.entries(change.filters))
      for (const value of values ?? []) next.append('f', `${dimension}:${value}`);
  }
  return next;
}

/** A value more or, where it is chosen already, one less. */
export function toggleValue(filters: VisitFilters, dimension: FilterDimension, value: string): VisitFilters {
  const { [dimension]: present = [], ...others } = filters;
  const values = present.includes(value) ? present.filter((one) => one !== value) : [...present, value];
  return values.length === 0 ? others : { ...others, [dimension]: values.slice(0, maxFilterValues) };
}

/** What is asked for on a screen that is about some values only: of these, what is chosen among them. */
export function filtersWithin(filters: VisitFilters, always: VisitFilters): VisitFilters {
  const within: VisitFilters = { ...filters, ...always };
  for (const dimension of Object.keys(always) as FilterDimension[]) {
    const chosen = filters[dimension]?.filter((value) => always[dimension]?.includes(value)) ?? [];
    if (chosen.length > 0) within[dimension] = chosen;
  }
  return within;
}

/** What the workbench shows, as its address holds it: reload, Back and a sent link show the same. */
export function useWorkbench(usual: RangeKind) {
  const [params, setParams] = useSearchParams();
  const today = useFormat().today();
  const state = readState(params, today, usual);
  const change = (next: Partial<WorkbenchState>) => setParams((present) => writeState(present, next));
  return {
    ...state,
    today,
    change,
    toggle: (dimension: FilterDimension, value: string) => change({ filters: toggleValue(state.filters, dimension, value) }),
    query: params.toString(),
    show: (query: string) => setParams(new URLSearchParams(query)),
  };
}
export type Workbench = ReturnType<typeof useWorkbench>;

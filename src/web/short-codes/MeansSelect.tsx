import { Select } from 'antd';
import { failureText } from '../kit/failure.ts';
import type { ControlProps } from '../kit/form/controls.tsx';
import { holdsTyped } from '../kit/options.ts';
import { useMeans } from './means.ts';

/** How a link is made; `owner_id` is whose short domains are offered, the caller's own without it. */
export function MeansSelect({ id, value, onChange, owner_id }: ControlProps<string> & { owner_id?: number }) {
  const { groups, isPending, error } = useMeans(owner_id);
  return (
    <Select
      id={id}
      value={value ?? ''}
      options={groups}
      loading={isPending}
      notFoundContent={error ? failureText(error) : undefined}
      onChange={(next) => onChange?.(next)}
      showSearch={{ filterOption: holdsTyped }}
    />
  );
}

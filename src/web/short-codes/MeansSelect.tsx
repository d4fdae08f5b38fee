import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { failureText } from '../kit/calls/failure.ts';
import type { ControlProps } from '../kit/form/controls.tsx';
import { holdsTyped } from '../kit/options.ts';
import { useMeans } from './means.ts';

type Props = ControlProps<string> & {
  /** Whose short domains are offered; the caller's own without it. */
  owner_id?: number;
  /** What the link was made by, which may be offered no more. */
  present?: { value: string; name: string };
};

/** How a link is made. */
export function MeansSelect({ id, value, onChange, owner_id, present }: Props) {
  const { t } = useTranslation();
  const { groups, isPending, error } = useMeans(owner_id);
  const isGone =
    present !== undefined &&
    !isPending &&
    !error &&
    !groups.some(({ options }) => options.some((option) => option.value === present.value));
  const gone = isGone ? [{ value: present.value, label: t('short_code.gone_means', { name: present.name }), disabled: true }] : [];
  // Of domains and platforms one may be known: that the other could not be read is said beside it.
  const failed = error ? [{ value: ' failed', label: failureText(error), disabled: true }] : [];
  return (
    <Select
      id={id}
      value={value ?? ''}
      options={[...groups, ...gone, ...failed]}
      loading={isPending}
      onChange={(next) => onChange?.(next)}
      showSearch={{ filterOption: holdsTyped }}
    />
  );
}

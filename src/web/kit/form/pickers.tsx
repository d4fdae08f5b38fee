import { ColorPicker, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { usePresets } from '../list/usePresets.ts';
import { useFormat } from '../texts/format.ts';
import { inZone } from '../texts/time.ts';

/** What antd hands to the control of a form item. */
export type ControlProps<T = unknown> = { id?: string; value?: T; checked?: boolean; onChange?: (value: T) => void; onBlur?: () => void };

/**
 * A time of the wire in a picker: the site's time zone is shown as if it were local, and turned back on change. What is asked for by forms
 * lies ahead, mostly an end: the ranges that look ahead offer the end of their last day.
 */
export function ZonedPicker({
  id,
  value,
  onChange,
  onBlur,
  placeholder,
  clearable,
}: ControlProps<string | null> & { placeholder?: string; clearable?: boolean }) {
  const { timeZone } = useFormat();
  const format = 'YYYY-MM-DD HH:mm:ss';
  return (
    <DatePicker
      id={id}
      showTime
      presets={usePresets(true).map(({ label, value: [, to] }) => ({ label, value: to.endOf('day') }))}
      className="lc-wide"
      placeholder={placeholder}
      allowClear={clearable ?? true}
      value={value ? dayjs(inZone(value, timeZone).format(format)) : null}
      onChange={(picked) => onChange?.(picked ? dayjs.tz(picked.format(format), timeZone).toISOString() : null)}
      onBlur={onBlur}
    />
  );
}

/** A day, as `YYYY-MM-DD`. */
export function DayPicker({
  id,
  value,
  onChange,
  onBlur,
  placeholder,
  clearable,
}: ControlProps<string | null> & { placeholder?: string; clearable?: boolean }) {
  return (
    <DatePicker
      id={id}
      className="lc-wide"
      placeholder={placeholder}
      allowClear={clearable ?? true}
      value={value ? dayjs(value) : null}
      onChange={(picked) => onChange?.(picked ? picked.format('YYYY-MM-DD') : null)}
      onBlur={onBlur}
    />
  );
}

/** A colour, as `#rrggbb`. */
export function ColorField({ value, onChange }: ControlProps<string | null>) {
  return (
    <ColorPicker value={value ?? undefined} disabledAlpha format="hex" showText onChange={(picked) => onChange?.(picked.toHexString())} />
  );
}

import { Button } from 'antd';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hourStretches } from './words.ts';

const allHours = Array.from({ length: 24 }, (_, hour) => hour);
const presets = {
  work: [9, 10, 11, 12, 13, 14, 15, 16, 17],
  evening: [18, 19, 20, 21, 22, 23],
  night: [22, 23, 0, 1, 2, 3, 4, 5],
} as const;

type HoursBarProps = { value: readonly number[]; onChange: (hours: number[]) => void; labelledBy: string };

/** Paints hours on or off by pointer, finger or keys; `focused` is the cell that keys start from. */
function useBrush(value: readonly number[], onChange: (hours: number[]) => void) {
  const bar = useRef<HTMLDivElement>(null);
  const painting = useRef<{ isOn: boolean; last: number } | null>(null);
  const [focused, setFocused] = useState(0);
  const chosen = new Set(value);

  function set(hours: Iterable<number>, isOn: boolean) {
    const next = new Set(chosen);
    for (const hour of hours) isOn ? next.add(hour) : next.delete(hour);
    onChange(allHours.filter((hour) => next.has(hour)));
  }
  /** The cell below the pointer, also while it moves beside the bar. */
  function hourAt({ clientX }: PointerEvent): number {
    const box = bar.current?.getBoundingClientRect();
    return box ? Math.min(23, Math.max(0, Math.floor(((clientX - box.left) / box.width) * 24))) : 0;
  }
  function start(event: PointerEvent) {
    const hour = hourAt(event);
    painting.current = { isOn: !chosen.has(hour), last: hour };
    event.currentTarget.setPointerCapture(event.pointerId);
    set([hour], painting.current.isOn);
    setFocused(hour);
  }
  function paint(event: PointerEvent) {
    const brush = painting.current;
    const hour = hourAt(event);
    if (!brush || hour === brush.last) return;
    const [from, to] = [Math.min(brush.last, hour), Math.max(brush.last, hour)];
    brush.last = hour;
    set(allHours.slice(from, to + 1), brush.isOn);
  }
  function step(event: KeyboardEvent) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -24, End: 24 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const hour = Math.min(23, Math.max(0, focused + by));
    setFocused(hour);
    bar.current?.querySelectorAll('button')[hour]?.focus();
    if (event.shiftKey) set([focused, hour], chosen.has(focused));
  }
  const stop = () => {
    painting.current = null;
  };
  return {
    bar,
    chosen,
    focused,
    setFocused,
    set,
    handlers: { onPointerDown: start, onPointerMove: paint, onPointerUp: stop, onPointerCancel: stop, onKeyDown: step },
  };
}

/** The hours of a day as 24 cells: painted over by pointer or finger, or by arrow keys and space. */
export function HoursBar({ value, onChange, labelledBy }: HoursBarProps) {
  const { t } = useTranslation();
  const { bar, chosen, focused, setFocused, set, handlers } = useBrush(value, onChange);
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border and a legend of its own. */}
      <div ref={bar} className="lc-rule-hours-bar" role="group" aria-labelledby={labelledBy} {...handlers}>
        {allHours.map((hour) => (
          <button
            key={hour}
            type="button"
            className="lc-rule-hour"
            aria-pressed={chosen.has(hour)}
            aria-label={hourStretches([hour])[0]}
            title={hourStretches([hour])[0]}
            tabIndex={hour === focused ? 0 : -1}
            // Pointers paint on the bar; this is the click of a keyboard or a screen reader.
            onClick={() => set([hour], !chosen.has(hour))}
            onFocus={() => setFocused(hour)}
          />
        ))}
      </div>
      <div className="lc-rule-hours-scale lc-num" aria-hidden>
        {['0', '6', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <div className="lc-rule-hours-foot">
        <span className="lc-soft">
          {value.length > 0 ? hourStretches(value).join(t('common.comma')) : t('set_qr_code.targeting.any_hour')}
        </span>
        <span>
          {Object.entries(presets).map(([name, hours]) => (
            <Button key={name} type="link" size="small" onClick={() => onChange([...hours].toSorted((one, other) => one - other))}>
              {t(`set_qr_code.targeting.preset.${name}`)}
            </Button>
          ))}
          {value.length > 0 && (
            <Button type="link" size="small" onClick={() => onChange([])}>
              {t('set_qr_code.targeting.clear')}
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}

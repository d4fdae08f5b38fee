import { Button, ColorPicker, Segmented, Slider } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { QrDesign } from '../../../qr/design.ts';

/** Titles and labels are message keys. Every group of controls gets the whole design and changes parts of it. */
export type DesignProps = { design: QrDesign; change: (part: Partial<QrDesign>) => void };

export function Group({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className="lc-code-design-group" aria-labelledby={id}>
      <h3 className="lc-code-design-title" id={id}>
        {t(title)}
      </h3>
      {children}
    </section>
  );
}

export function Row({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    // A fieldset names whatever stands in it: a slider, a few buttons, a colour with a way to take it off.
    <fieldset className="lc-code-design-row">
      <legend className="lc-code-design-legend">{t(label)}</legend>
      <div className="lc-code-design-control">{children}</div>
    </fieldset>
  );
}

type ChoiceProps<T extends string> = { label: string; value: T; values: readonly T[]; onChange: (value: T) => void; names: string };

/** A few words to choose from; `names` is the message group that holds them. */
export function Choice<T extends string>({ label, value, values, onChange, names }: ChoiceProps<T>) {
  const { t } = useTranslation();
  const nameOf = (one: string): string => t(`${names}.${one}`);
  return (
    <Row label={label}>
      <Segmented<T>
        value={value}
        onChange={onChange}
        aria-label={t(label)}
        options={values.map((one) => ({ value: one, label: nameOf(one) }))}
      />
    </Row>
  );
}

type ColorProps = {
  label: string;
  value: string | null;
  /** Shown while there is no value of its own. */
  fallback?: string;
  onChange: (value: string) => void;
  /** Takes the colour off; `clearLabel` names what stands in its place. */
  onClear?: () => void;
  clearLabel?: string;
};

export function Color({ label, value, fallback = '#ffffff', onChange, onClear, clearLabel }: ColorProps) {
  const { t } = useTranslation();
  return (
    <Row label={label}>
      <ColorPicker
        value={value ?? fallback}
        disabledAlpha
        format="hex"
        showText={() => value ?? (clearLabel ? t(clearLabel) : fallback)}
        onChange={(picked) => onChange(picked.toHexString())}
      />
      {onClear && value !== null && clearLabel && (
        <Button type="link" size="small" onClick={onClear}>
          {t(clearLabel)}
        </Button>
      )}
    </Row>
  );
}

type AmountProps = {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  words: string;
  onChange: (value: number) => void;
};

/** A slider with its value in words beside it. */
export function Amount({ label, value, min, max, step = 1, words, onChange }: AmountProps) {
  const { t } = useTranslation();
  return (
    <Row label={label}>
      <Slider
        className="lc-code-design-slider"
        value={value}
        min={min}
        max={max}
        step={step}
        onChange={onChange}
        tooltip={{ open: false }}
        ariaLabelForHandle={t(label)}
      />
      <span className="lc-num lc-code-design-amount">{words}</span>
    </Row>
  );
}

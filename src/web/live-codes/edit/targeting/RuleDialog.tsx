import { Alert, Checkbox, DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type TargetRule, targetRule } from '../../../../contract/codes/targeting.ts';
import { carriers, ruleSystems } from '../../../../contract/enums.ts';
import { provinceName, provinces } from '../../../kit/charts/chinaTiles.ts';
import { Modal } from '../../../kit/dialogs/dialogs.tsx';
import { usePresets } from '../../../kit/list/usePresets.ts';
import { countryName, recordedCountries } from '../../../kit/places.ts';
import { HoursBar } from './HoursBar.tsx';
import { commonLanguages, compact, placeContradiction } from './rules.ts';
import { languageName, ruleLine } from './words.ts';

type RuleDialogProps = { rule: TargetRule | null; onClose: () => void; onSave: (rule: TargetRule) => void };

/** One rule: its conditions, and the sentence that they make. */
export function RuleDialog({ rule, onClose, onSave }: RuleDialogProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<TargetRule>(rule ?? {});
  const [isChecked, setIsChecked] = useState(false);
  const parsed = targetRule.safeParse(draft);

  function save() {
    setIsChecked(true);
    if (parsed.success) onSave(parsed.data);
  }
  return (
    <Modal
      open
      title={t(rule ? 'set_qr_code.targeting.change' : 'set_qr_code.targeting.add')}
      onCancel={onClose}
      onOk={save}
      okText={t('common.ok')}
      cancelText={t('common.cancel')}
      footer={(_footer, { OkBtn, CancelBtn }) => (
        <div className="lc-rule-footer">
          <div className="lc-rule-result" aria-live="polite">
            <Result draft={draft} fault={parsed.error?.issues[0]?.message} isChecked={isChecked} />
          </div>
          <span className="lc-rule-acts">
            <CancelBtn />
            <OkBtn />
          </span>
        </div>
      )}
      styles={{ body: { maxHeight: 'calc(100dvh - 240px)', overflowY: 'auto', paddingInlineEnd: 4 } }}
    >
      <p className="lc-soft lc-rule-help">{t('set_qr_code.targeting.dialog_help')}</p>
      <Conditions draft={draft} change={(part) => setDraft((present) => compact({ ...present, ...part }))} />
    </Modal>
  );
}

/** The rule in words or, once it was to be saved, what is wrong with it. */
function Result({ draft, fault, isChecked }: { draft: TargetRule; fault: string | undefined; isChecked: boolean }) {
  const { t, i18n } = useTranslation();
  if (fault === undefined) return <p>{t('set_qr_code.targeting.result', { rule: ruleLine(draft, { t, language: i18n.language }) })}</p>;
  if (!isChecked) return <p className="lc-soft">{t('set_qr_code.targeting.result_none')}</p>;
  const title = t(fault === 'before_start' ? 'set_qr_code.targeting.fault_days' : 'set_qr_code.targeting.fault_empty');
  return <Alert type="error" showIcon title={title} />;
}

type ConditionsProps = { draft: TargetRule; change: (part: Partial<TargetRule>) => void };

function Conditions({ draft, change }: ConditionsProps) {
  const { t, i18n } = useTranslation();
  const places = usePlaces();
  const languages = [...new Set([...commonLanguages, ...(draft.languages ?? [])])];
  /** Values that have their words below one key. */
  const named = <V extends string | number>(values: readonly V[], words: string) =>
    values.map((value) => ({ value, label: t(`set_qr_code.targeting.${words}.${String(value)}`) }));
  return (
    <>
      <div className="lc-rule-places">
        <Several of="regions" any="any_region" value={draft.regions} options={places.regions} choose={(regions) => change({ regions })} />
        <Several
          of="countries"
          any="any_country"
          value={draft.countries}
          options={places.countries}
          choose={(countries) => change({ countries })}
        />
        <Several
          of="languages"
          any="any_language"
          value={draft.languages}
          options={languages.map((value) => ({ value, label: languageName(value, i18n.language) }))}
          choose={(chosen) => change({ languages: chosen })}
        />
      </div>
      {placeContradiction(draft) && (
        <Alert type="warning" showIcon className="lc-rule-alert" title={t('set_qr_code.targeting.contradiction')} />
      )}
      <Boxes of="carriers" value={draft.carriers} options={named(carriers, 'carrier')} choose={(chosen) => change({ carriers: chosen })} />
      <Boxes of="systems" value={draft.systems} options={named(ruleSystems, 'system')} choose={(systems) => change({ systems })} />
      <Part condition="messenger">
        {(_id, label) => (
          <Segmented
            aria-labelledby={label}
            value={draft.messenger === undefined ? 'any' : draft.messenger ? 'in' : 'out'}
            options={[
              { value: 'any', label: t('set_qr_code.targeting.any') },
              { value: 'in', label: t('set_qr_code.targeting.in_messenger') },
              { value: 'out', label: t('set_qr_code.targeting.outside_messenger') },
            ]}
            onChange={(value) => change({ messenger: value === 'any' ? undefined : value === 'in' })}
          />
        )}
      </Part>
      <Part condition="hours">
        {(_id, label) => <HoursBar value={draft.hours ?? []} labelledBy={label} onChange={(hours) => change({ hours })} />}
      </Part>
      <Boxes
        of="weekdays"
        value={draft.weekdays}
        options={named([1, 2, 3, 4, 5, 6, 7], 'weekday')}
        choose={(weekdays) => change({ weekdays: weekdays.toSorted((one, other) => one - other) })}
      />
      <Part condition="days">{(id) => <Days id={id} from={draft.from} to={draft.to} onChange={change} />}</Part>
    </>
  );
}

type ChoiceProps<V> = {
  of: string;
  value: V[] | undefined;
  options: { value: V; label: string }[];
  choose: (chosen: V[]) => void;
};

/** Some of many, looked for by their names; without any, the words `any`. */
function Several({ of: condition, any, value = [], options, choose }: ChoiceProps<string> & { any: string }) {
  const { t } = useTranslation();
  return (
    <Part condition={condition}>
      {(id) => (
        <Select
          id={id}
          mode="multiple"
          className="lc-wide"
          placeholder={t(`set_qr_code.targeting.${any}`)}
          value={value}
          options={options}
          optionFilterProp="label"
          onChange={choose}
        />
      )}
    </Part>
  );
}

/** Some of a few. */
function Boxes<V extends string | number>({ of: condition, value = [], options, choose }: ChoiceProps<V>) {
  return (
    <Part condition={condition}>
      {(_id, label) => <Checkbox.Group<V> aria-labelledby={label} value={value} options={options} onChange={choose} />}
    </Part>
  );
}

type PartProps = { condition: string; children: (id: string, labelId: string) => ReactNode };

/** One condition with its label. */
function Part({ condition, children }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="lc-rule-part">
      <label id={`${id}-label`} htmlFor={id} className="lc-rule-part-label">
        {t(`set_qr_code.targeting.condition.${condition}`)}
      </label>
      {children(id, `${id}-label`)}
    </div>
  );
}

type DaysProps = Pick<TargetRule, 'from' | 'to'> & { id: string; onChange: (days: Pick<TargetRule, 'from' | 'to'>) => void };

/** A first and a last day, either of which may be left out. */
function Days({ id, from, to, onChange }: DaysProps) {
  const { t } = useTranslation();
  const day = (picked: dayjs.Dayjs | null | undefined) => picked?.format('YYYY-MM-DD');
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-to` }}
      className="lc-wide"
      allowEmpty={[true, true]}
      presets={usePresets(true)}
      placeholder={[t('set_qr_code.targeting.from_day'), t('set_qr_code.targeting.to_day')]}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      onChange={(days) => onChange({ from: day(days?.[0]), to: day(days?.[1]) })}
    />
  );
}

/** Countries and provinces by the names that visits record, shown in the user's language. */
export function usePlaces() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(
    () => ({
      countries: recordedCountries().map((value) => ({ value, label: countryName(value, language) })),
      regions: provinces.map((province) => ({ value: province.zh, label: provinceName(province, language) })),
    }),
    [language],
  );
}

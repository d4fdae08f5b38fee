import { Alert, Checkbox, DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleSystems, type TargetRule, targetRule } from '../../../../contract/codes/targeting.ts';
import { carriers } from '../../../../contract/enums.ts';
import { provinceName, provinces } from '../../../kit/charts/chinaTiles.ts';
import { Modal } from '../../../kit/dialogs/dialogs.tsx';
import { countryName, recordedCountries } from '../../../kit/places.ts';
import { HoursBar } from './HoursBar.tsx';
import { commonLanguages, compact, placeContradiction } from './rules.ts';
import { languageName, ruleLine } from './words.ts';

type RuleDialogProps = { rule: TargetRule | null; onClose: () => void; onSave: (rule: TargetRule) => void };

/** One rule: its conditions, and the sentence that they make. */
export function RuleDialog({ rule, onClose, onSave }: RuleDialogProps) {
  const { t, i18n } = useTranslation();
  const [draft, setDraft] = useState<TargetRule>(rule ?? {});
  const [isChecked, setIsChecked] = useState(false);
  const change = (part: Partial<TargetRule>) => setDraft((present) => compact({ ...present, ...part }));
  const parsed = targetRule.safeParse(draft);
  const fault = parsed.success ? undefined : parsed.error.issues[0]?.message;
  const places = usePlaces();
  const wording = { t, language: i18n.language };

  function save() {
    setIsChecked(true);
    if (parsed.success) onSave(parsed.data);
  }
  return (
    <Modal
      open
      title={t(rule ? 'set_qr_code.targeting.change' : 'set_qr_code.targeting.add')}
      width={640}
      onCancel={onClose}
      onOk={save}
      okText={t('set_qr_code.targeting.done')}
      cancelText={t('common.cancel')}
      className="rule-dialog"
      footer={(_footer, { OkBtn, CancelBtn }) => (
        <div className="rule-footer">
          <div className="rule-result" aria-live="polite">
            {isChecked && fault ? (
              <Alert
                type="error"
                showIcon
                title={t(fault === 'before_start' ? 'set_qr_code.targeting.fault_days' : 'set_qr_code.targeting.fault_empty')}
              />
            ) : (
              <p className={parsed.success ? undefined : 'lc-soft'}>
                {parsed.success
                  ? t('set_qr_code.targeting.result', { rule: ruleLine(draft, wording) })
                  : t('set_qr_code.targeting.result_none')}
              </p>
            )}
          </div>
          <span className="rule-acts">
            <CancelBtn />
            <OkBtn />
          </span>
        </div>
      )}
      styles={{ body: { maxHeight: 'calc(100dvh - 240px)', overflowY: 'auto', paddingInlineEnd: 4 } }}
    >
      <p className="lc-soft rule-help">{t('set_qr_code.targeting.dialog_help')}</p>
      <div className="rule-places">
        <Part condition="regions">
          {(id) => (
            <Select
              id={id}
              mode="multiple"
              className="lc-wide"
              placeholder={t('set_qr_code.targeting.any_region')}
              value={draft.regions ?? []}
              options={places.regions}
              optionFilterProp="label"
              onChange={(regions) => change({ regions })}
            />
          )}
        </Part>
        <Part condition="countries">
          {(id) => (
            <Select
              id={id}
              mode="multiple"
              className="lc-wide"
              placeholder={t('set_qr_code.targeting.any_country')}
              value={draft.countries ?? []}
              options={places.countries}
              optionFilterProp="label"
              onChange={(countries) => change({ countries })}
            />
          )}
        </Part>
      </div>
      {placeContradiction(draft) && (
        <Alert type="warning" showIcon className="rule-alert" title={t('set_qr_code.targeting.contradiction')} />
      )}
      <Part condition="carriers">
        {(_id, label) => (
          <Checkbox.Group
            aria-labelledby={label}
            value={draft.carriers ?? []}
            options={carriers.map((value) => ({ value, label: t(`set_qr_code.targeting.carrier.${value}`) }))}
            onChange={(chosen) => change({ carriers: chosen })}
          />
        )}
      </Part>
      <Part condition="systems">
        {(_id, label) => (
          <Checkbox.Group
            aria-labelledby={label}
            value={draft.systems ?? []}
            options={ruleSystems.map((value) => ({ value, label: t(`set_qr_code.targeting.system.${value}`) }))}
            onChange={(chosen) => change({ systems: chosen })}
          />
        )}
      </Part>
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
      <Part condition="languages">
        {(id) => (
          <Select
            id={id}
            mode="multiple"
            className="lc-wide"
            placeholder={t('set_qr_code.targeting.any_language')}
            value={draft.languages ?? []}
            options={[...new Set([...commonLanguages, ...(draft.languages ?? [])])].map((tag) => ({
              value: tag,
              label: languageName(tag, i18n.language),
            }))}
            optionFilterProp="label"
            onChange={(languages) => change({ languages })}
          />
        )}
      </Part>
      <Part condition="hours">
        {(_id, label) => <HoursBar value={draft.hours ?? []} labelledBy={label} onChange={(hours) => change({ hours })} />}
      </Part>
      <Part condition="weekdays">
        {(_id, label) => (
          <Checkbox.Group
            aria-labelledby={label}
            value={draft.weekdays ?? []}
            options={[1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: t(`set_qr_code.targeting.weekday.${value}`) }))}
            onChange={(weekdays) => change({ weekdays: weekdays.toSorted((one, other) => one - other) })}
          />
        )}
      </Part>
      <Part condition="days">
        {(id) => (
          <span className="rule-days">
            <DayPicker id={id} side="from" value={draft.from} onChange={(from) => change({ from })} />
            <DayPicker side="to" value={draft.to} onChange={(to) => change({ to })} />
          </span>
        )}
      </Part>
    </Modal>
  );
}

type PartProps = { condition: string; children: (id: string, labelId: string) => ReactNode };

/** One condition with its label. */
function Part({ condition, children }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="rule-part">
      <label id={`${id}-label`} htmlFor={id} className="rule-part-label">
        {t(`set_qr_code.targeting.condition.${condition}`)}
      </label>
      {children(id, `${id}-label`)}
    </div>
  );
}

type DayPickerProps = { id?: string; side: 'from' | 'to'; value: string | undefined; onChange: (day: string | undefined) => void };

function DayPicker({ id, side, value, onChange }: DayPickerProps) {
  const { t } = useTranslation();
  return (
    <DatePicker
      id={id}
      aria-label={t(`set_qr_code.targeting.${side}_day`)}
      placeholder={t(`set_qr_code.targeting.${side}_day`)}
      value={value ? dayjs(value) : null}
      onChange={(picked) => onChange(picked ? picked.format('YYYY-MM-DD') : undefined)}
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

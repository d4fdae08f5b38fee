import { MobileOutlined } from '@ant-design/icons';
import { Button, DatePicker, Input, Segmented, Select, type SelectProps } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrialVisitor } from '../../../../contract/codes/qr-code-trial.ts';
import { ruleSystems } from '../../../../contract/codes/targeting.ts';
import { carriers } from '../../../../contract/enums.ts';
import { china } from '../../../kit/places.ts';
import { inZone, useFormat } from '../../../kit/texts/format.ts';
import { usePlaces } from '../targeting/RuleDialog.tsx';
import { commonLanguages } from '../targeting/rules.ts';
import { languageName } from '../targeting/words.ts';
import { thisDevice } from './draft.ts';

type VisitorFormProps = {
  visitor: TrialVisitor;
  /** What was typed is no IP address. */
  isBadAddress: boolean;
  onChange: (visitor: TrialVisitor) => void;
};
const zoned = 'YYYY-MM-DD HH:mm:ss';

const named = (kind: 'region' | 'country', places: readonly { value: string; label: string }[]) =>
  places.map(({ value, label }) => ({ value: `${kind} ${value}`, label }));

/** Who comes: what isn't chosen is unknown. */
export function VisitorForm({ visitor, isBadAddress, onChange }: VisitorFormProps) {
  const { t, i18n } = useTranslation();
  const { timeZone } = useFormat();
  const places = usePlaces();
  const change = (part: { [K in keyof TrialVisitor]?: TrialVisitor[K] | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...visitor, ...part }).filter(([, value]) => value !== undefined && value !== '')));
  const place = visitor.region ? `region ${visitor.region}` : visitor.country ? `country ${visitor.country}` : undefined;
  const languages = [...new Set([...commonLanguages, ...(visitor.language ? [visitor.language] : [])])];

  function choosePlace(chosen: string | undefined) {
    const [kind, name] = chosen === undefined ? [] : [chosen.split(' ', 1)[0], chosen.slice(chosen.indexOf(' ') + 1)];
    change(kind === 'region' ? { country: china, region: name } : { country: name, region: undefined });
  }
  return (
    <div className="trial-form">
      <Choice
        fact="place"
        value={place}
        isLong
        options={[
          { label: t('set_qr_code.targeting.condition.regions'), options: named('region', places.regions) },
          { label: t('set_qr_code.targeting.condition.countries'), options: named('country', places.countries) },
        ]}
        choose={choosePlace}
      />
      <Choice
        fact="carrier"
        value={visitor.carrier}
        options={carriers.map((value) => ({ value, label: t(`set_qr_code.targeting.carrier.${value}`) }))}
        choose={(carrier) => change({ carrier })}
      />
      <Choice
        fact="system"
        value={visitor.system}
        placeholder={t('set_qr_code.targeting.system.other')}
        options={ruleSystems.map((value) => ({ value, label: t(`set_qr_code.targeting.system.${value}`) }))}
        choose={(system) => change({ system })}
      />
      <Line fact="messenger">
        {(id) => (
          <Segmented
            id={id}
            block
            aria-label={t('set_qr_code.targeting.condition.messenger')}
            value={visitor.messenger ?? false}
            onChange={(messenger) => change({ messenger })}
            options={[
              { value: true, label: t('set_qr_code.targeting.in_messenger') },
              { value: false, label: t('set_qr_code.targeting.outside_messenger') },
            ]}
          />
        )}
      </Line>
      <Choice
        fact="language"
        value={visitor.language}
        isLong
        options={languages.map((value) => ({ value, label: languageName(value, i18n.language) }))}
        choose={(language) => change({ language })}
      />
      <Line fact="time">
        {(id) => (
          <DatePicker
            id={id}
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            placeholder={t('set_qr_code.trial.now')}
            value={visitor.at ? dayjs(inZone(visitor.at, timeZone).format(zoned)) : null}
            onChange={(picked) => change({ at: picked ? dayjs.tz(picked.format(zoned), timeZone).toISOString() : undefined })}
          />
        )}
      </Line>
      <Line fact="ip">
        {(id) => (
          <span>
            <Input
              id={id}
              allowClear
              status={isBadAddress ? 'error' : ''}
              aria-invalid={isBadAddress}
              aria-describedby={isBadAddress ? `${id}-fault` : undefined}
              placeholder={t('set_qr_code.trial.ip_help')}
              value={visitor.ip ?? ''}
              maxLength={45}
              onChange={(event) => change({ ip: event.target.value.trim() || undefined })}
            />
            {isBadAddress && (
              <span id={`${id}-fault`} role="alert" className="trial-fault">
                {t('errors.field.invalid_ip')}
              </span>
            )}
          </span>
        )}
      </Line>
      <div className="trial-form-acts">
        <Button
          size="small"
          icon={<MobileOutlined aria-hidden />}
          onClick={() => onChange(thisDevice(navigator.userAgent, navigator.language))}
        >
          {t('set_qr_code.trial.this_device')}
        </Button>
        {Object.keys(visitor).length > 0 && (
          <Button size="small" type="text" onClick={() => onChange({})}>
            {t('set_qr_code.targeting.clear')}
          </Button>
        )}
      </div>
    </div>
  );
}

type ChoiceProps<Value extends string> = {
  fact: string;
  value: Value | undefined;
  options: NonNullable<SelectProps<Value>['options']>;
  /** What holds while nothing is chosen; unknown without it. */
  placeholder?: string;
  /** Too many to be looked through: they can be searched. */
  isLong?: boolean;
  choose: (value: Value | undefined) => void;
};

function Choice<Value extends string>({ fact, value, options, placeholder, isLong = false, choose }: ChoiceProps<Value>) {
  const { t } = useTranslation();
  return (
    <Line fact={fact}>
      {(id) => (
        <Select<Value>
          id={id}
          allowClear
          showSearch={isLong && { optionFilterProp: 'label' }}
          placeholder={placeholder ?? t('set_qr_code.trial.unknown')}
          value={value}
          options={options}
          onChange={choose}
        />
      )}
    </Line>
  );
}

function Line({ fact, children }: { fact: string; children: (id: string) => ReactNode }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="trial-line">
      <label htmlFor={id}>{t(`set_qr_code.trial.visitor.${fact}`)}</label>
      {children(id)}
    </div>
  );
}

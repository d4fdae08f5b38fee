import { MobileOutlined } from '@ant-design/icons';
import { Button, DatePicker, Input, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { carriers } from '../../../../contract/enums.ts';
import type { TrialVisitor } from '../../../../contract/qr-code-trial.ts';
import { ruleSystems } from '../../../../contract/targeting.ts';
import { inZone, useFormat } from '../../../kit/format.ts';
import { china } from '../../../kit/places.ts';
import { usePlaces } from '../targeting/RuleDialog.tsx';
import { commonLanguages } from '../targeting/rules.ts';
import { languageName } from '../targeting/words.ts';
import { thisDevice } from './draft.ts';

type VisitorFormProps = {
  visitor: TrialVisitor /** What was typed is no IP address. */;
  isBadAddress: boolean;
  onChange: (visitor: TrialVisitor) => void;
};
const zoned = 'YYYY-MM-DD HH:mm:ss';

/** Who comes: what isn't chosen is unknown. */
export function VisitorForm({ visitor, isBadAddress, onChange }: VisitorFormProps) {
  const { t, i18n } = useTranslation();
  const { timeZone } = useFormat();
  const places = usePlaces();
  const change = (part: { [K in keyof TrialVisitor]?: TrialVisitor[K] | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...visitor, ...part }).filter(([, value]) => value !== undefined && value !== '')));
  const place = visitor.region ? `region ${visitor.region}` : visitor.country ? `country ${visitor.country}` : undefined;
  const unknown = t('set_qr_code.trial.unknown');

  function choosePlace(chosen: string | undefined) {
    const [kind, name] = chosen === undefined ? [] : [chosen.split(' ', 1)[0], chosen.slice(chosen.indexOf(' ') + 1)];
    change(kind === 'region' ? { country: china, region: name } : { country: name, region: undefined });
  }
  return (
    <div className="trial-form">
      <Line fact="place">
        {(id) => (
          <Select
            id={id}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={unknown}
            value={place}
            onChange={choosePlace}
            options={[
              {
                label: t('set_qr_code.targeting.condition.regions'),
                options: places.regions.map(({ value, label }) => ({ value: `region ${value}`, label })),
              },
              {
                label: t('set_qr_code.targeting.condition.countries'),
                options: places.countries.map(({ value, label }) => ({ value: `country ${value}`, label })),
              },
            ]}
          />
        )}
      </Line>
      <Line fact="carrier">
        {(id) => (
          <Select
            id={id}
            allowClear
            placeholder={unknown}
            value={visitor.carrier}
            onChange={(carrier) => change({ carrier })}
            options={carriers.map((value) => ({ value, label: t(`set_qr_code.targeting.carrier.${value}`) }))}
          />
        )}
      </Line>
      <Line fact="system">
        {(id) => (
          <Select
            id={id}
            allowClear
            placeholder={t('set_qr_code.targeting.system.other')}
            value={visitor.system}
            onChange={(system) => change({ system })}
            options={ruleSystems.map((value) => ({ value, label: t(`set_qr_code.targeting.system.${value}`) }))}
          />
        )}
      </Line>
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
      <Line fact="language">
        {(id) => (
          <Select
            id={id}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={unknown}
            value={visitor.language}
            onChange={(language) => change({ language })}
            options={[...new Set([...commonLanguages, ...(visitor.language ? [visitor.language] : [])])].map((value) => ({
              value,
              label: languageName(value, i18n.language),
            }))}
          />
        )}
      </Line>
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

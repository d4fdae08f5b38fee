import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Script } from '../../contract/system/script.ts';
import { missedChoices, type ScriptSchedule } from '../../contract/system/script-schedule.ts';
import type { Server } from '../../contract/system/server-list.ts';
import { api } from '../kit/calls/api.ts';
import { fieldErrorText } from '../kit/calls/failure.ts';
import { useCall } from '../kit/calls/query.ts';
import { ApiFailure } from '../kit/calls/request.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import type { Values } from '../kit/form/contract.ts';
import { Field, type FieldData } from '../kit/form/Fields.tsx';
import { useSite } from '../kit/site.tsx';
import { dayjsLocaleOf, inZone } from '../kit/texts/time.ts';
import { useDebounced } from '../kit/useDebounced.ts';
import { all, chooseScript, firstValues, keptSecrets, Parameters, valuesOf, whereFields } from './runFields.tsx';

const presets = { every_hour: '0 * * * *', every_day: '0 3 * * *', every_week: '0 3 * * 1', every_month: '0 3 1 * *' } as const;
const zones = () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, label: zone }));
const previewMilliseconds = 300;

/** Fills in what many want. */
function Presets() {
  const { t } = useTranslation();
  const { form } = useFormContext();
  function choose(cron: string) {
    form.setFieldValue('cron', cron);
    void form.validateFields(['cron']).catch(() => {});
  }
  return (
    <fieldset className="lc-field-wide lc-schedule-presets" aria-label={t('script_schedule.presets')}>
      {Object.entries(presets).map(([name, cron]) => (
        <Button key={name} onClick={() => choose(cron)}>
          {t(`script_schedule.${name}`)}
        </Button>
      ))}
    </fieldset>
  );
}

/** When it would run, as the server counts. */
function Preview() {
  const { t, i18n } = useTranslation();
  const { form } = useFormContext();
  const typed = (Form.useWatch('cron', form) as string | undefined) ?? '';
  const time_zone = (Form.useWatch('time_zone', form) as string | undefined) ?? 'UTC';
  const cron = useDebounced(typed.trim(), previewMilliseconds);
  const isWhole = cron.split(/\s+/).length === 5;
  const { data, error } = useCall(api.script_schedule.preview, { cron, time_zone }, { enabled: isWhole, retry: false });
  const fault = error instanceof ApiFailure ? error.fields.cron : undefined;
  return (
    <section className="lc-field-wide lc-schedule-next" aria-live="polite" aria-label={t('script_schedule.next')}>
      <h3>{t('script_schedule.next_in', { zone: time_zone })}</h3>
      {isWhole && fault ? (
        <p className="lc-schedule-fault">{fieldErrorText(fault)}</p>
      ) : isWhole && data ? (
        <ol>
          {data.next.map((time) => (
            <li key={time} className="lc-num">
              {inZone(time, time_zone).locale(dayjsLocaleOf(i18n.language)).format('YYYY-MM-DD ddd HH:mm')}
            </li>
          ))}
        </ol>
      ) : (
        <p className="lc-soft">{t('script_schedule.next_empty')}</p>
      )}
    </section>
  );
}

const whenFields: FieldData[] = [
  { kind: 'text', name: 'cron', label: 'script_schedule.cron', help: 'script_schedule.cron_help', code: true },
  { kind: 'select', name: 'time_zone', label: 'script_schedule.time_zone', searchable: true, options: zones() },
];
const missedField: FieldData = {
  kind: 'radio',
  name: 'missed',
  label: 'script_schedule.missed',
  help: 'script_schedule.missed_help',
  options: missedChoices.map((value) => ({ value, label: `script_schedule.missed_${value}` })),
};

type FormProps = { schedule?: ScriptSchedule; script?: Script; onClose: () => void };

/** A new schedule, of a script that may be chosen already, or a changed one. */
export function ScheduleForm({ schedule, script, onClose }: FormProps) {
  const scripts = useCall(api.script.inquire, all).data?.content;
  const servers = useCall(api.server_list.inquire, all).data?.content;
  // The first values of the form depend on what there is to choose.
  return (
    scripts && servers && <Filled {...{ scripts, servers, onClose }} {...(schedule ? { schedule } : {})} {...(script ? { script } : {})} />
  );
}

type Choices = { scripts: readonly Script[]; servers: readonly Server[] };

function Filled({ schedule, script, scripts, servers, onClose }: FormProps & Choices) {
  const { t } = useTranslation();
  const site = useSite();
  const fields: FieldData[] = [
    { kind: 'text', name: 'name', label: 'common.field.name' },
    chooseScript('script_id', scripts),
    ...whereFields(servers),
  ];
  const toInput = ({ values, ...rest }: Values): Values => ({
    ...rest,
    values: valuesOf(
      scripts.find(({ id }) => id === rest.script_id),
      values,
    ),
  });
  const begins = schedule?.script_id ?? script?.id;
  const { kept, others } = keptSecrets(schedule?.values ?? {});
  const children = (
    <>
      <Parameters field="script_id" scripts={scripts} begins={begins} kept={kept} />
      {whenFields.map((field) => (
        <Field key={String(field.name)} {...field} />
      ))}
      <Presets />
      <Preview />
      <Field {...missedField} />
      <Field kind="switch" name="enabled" label="common.enabled" />
    </>
  );
  const shared = { fields, invalidates: ['script'] as const, onClose };
  if (!schedule)
    return (
      <ProvedModal
        {...shared}
        action={api.script_schedule.add}
        title="script_schedule.add"
        submit="script_schedule.add"
        success="script_schedule.added"
        initial={{
          ...(script ? { script_id: script.id, name: script.name } : {}),
          ...{ server_ids: [], parallel: 3, stop_on_failure: true, values: firstValues(script) },
          ...{ cron: presets.every_day, time_zone: site.time_zone, missed: 'skip', enabled: true },
        }}
        toInput={toInput}
      >
        {children}
      </ProvedModal>
    );
  const { id, name, script_id, server_ids, parallel, stop_on_failure, cron, time_zone, missed, enabled } = schedule;
  const isThere = new Set(servers.map((server) => server.id));
  return (
    <ProvedModal
      {...shared}
      action={api.script_schedule.update}
      title={t('script_schedule.edit', { name })}
      submit="common.save"
      success="script_schedule.saved"
      initial={{
        ...{ name, script_id, parallel, stop_on_failure, cron, time_zone, missed, enabled },
        server_ids: server_ids.filter((one) => isThere.has(one)),
        values: { ...firstValues(scripts.find((one) => one.id === script_id)), ...others },
      }}
      toInput={(values) => ({ ...toInput(values), id })}
    >
      {children}
    </ProvedModal>
  );
}

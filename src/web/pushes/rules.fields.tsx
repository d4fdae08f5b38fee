import { Button, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Channel, fallTypes, type Rule, recoveryTypes } from '../../contract/detection/shield-push.ts';
import type { EventType } from '../../contract/events.ts';
import { ownEventTypes } from '../../contract/people/webhook.ts';
import { api } from '../kit/calls/api.ts';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { type FieldData, Fields } from '../kit/form/Fields.tsx';
import type { ControlProps } from '../kit/form/pickers.tsx';
import { hostOption } from '../kit/host.ts';
import { remoteOptions } from '../kit/options.ts';
import { channelName } from './channels.texts.ts';
import { ManySelect } from './ManySelect.tsx';

const domainSource = remoteOptions(api.domain_list.inquire, (host) => ({ host, page_size: 50 }), hostOption);
const codeSource = remoteOptions(
  api.qr_code_list.inquire,
  (search) => ({ search, page_size: 50 }),
  ({ id, name }) => ({ value: id, label: name }),
);

/** Those that rules are made for first; the others follow as webhooks name them. */
const first: readonly EventType[] = [...fallTypes, ...recoveryTypes];
const eventOptions = [...first, ...ownEventTypes.filter((type) => !first.includes(type))].map((value) => ({
  value,
  label: `webhook.event.${value}`,
}));

function ClockField({ id, value, onChange, onBlur }: ControlProps<string | null>) {
  return <Input id={id} type="time" value={value ?? ''} onChange={(event) => onChange?.(event.target.value || null)} onBlur={onBlur} />;
}

const clock = (name: 'quiet_from' | 'quiet_to'): FieldData => ({
  kind: 'custom',
  name,
  label: `shield_push.${name}`,
  ...(name === 'quiet_from' ? { help: 'shield_push.quiet_help' } : {}),
  render: (props) => <ClockField {...(props as ControlProps<string | null>)} />,
});

const eventField: FieldData = {
  kind: 'select',
  name: 'events',
  label: 'shield_push.events',
  multiple: true,
  searchable: true,
  options: eventOptions,
};

const otherFields = (channels: readonly Channel[], rule: Rule | undefined): FieldData[] => [
  {
    kind: 'select',
    name: 'channel_ids',
    label: 'shield_push.channel_ids',
    multiple: true,
    options: channels.map((channel) => ({ value: channel.id, label: channelName(channel) })),
  },
  {
    kind: 'custom',
    name: 'domain_ids',
    label: 'shield_push.domain_ids',
    help: 'shield_push.domain_ids_help',
    node: 'domain_list',
    render: (props) => <ManySelect {...(props as ControlProps<number[] | null>)} source={domainSource} known={rule?.domains ?? []} />,
  },
  {
    kind: 'custom',
    name: 'live_code_ids',
    label: 'shield_push.live_code_ids',
    help: 'shield_push.live_code_ids_help',
    node: 'qr_code_list',
    render: (props) => <ManySelect {...(props as ControlProps<number[] | null>)} source={codeSource} known={rule?.live_codes ?? []} />,
  },
  {
    kind: 'number',
    name: 'repeat_minutes',
    label: 'shield_push.repeat_minutes',
    help: 'shield_push.repeat_minutes_help',
    minimum: 5,
    maximum: 1440,
    placeholder: 'shield_push.once',
  },
  { kind: 'text', name: 'name', label: 'common.field.name' },
  clock('quiet_from'),
  clock('quiet_to'),
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

/** Chooses all falls, or all recoveries, beside what is chosen. */
function EventPicks() {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const chosen = (Form.useWatch('events', form) ?? []) as EventType[];
  const add = (types: readonly EventType[]) => {
    form.setFieldValue('events', [...new Set([...chosen, ...types])]);
    onValuesChange();
  };
  return (
    <div className="lc-field-wide lc-push-picks">
      <Button onClick={() => add(fallTypes)}>{t('shield_push.choose_falls')}</Button>
      <Button onClick={() => add(recoveryTypes)}>{t('shield_push.choose_recoveries')}</Button>
    </div>
  );
}

export function RuleFields({ channels, rule }: { channels: readonly Channel[]; rule: Rule | undefined }) {
  return (
    <>
      <Fields fields={[eventField]} />
      <EventPicks />
      <Fields fields={otherFields(channels, rule)} />
    </>
  );
}

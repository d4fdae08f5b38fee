import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Channel, maxChannels, type Rule } from '../../contract/detection/shield-push.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useText } from '../kit/texts/text.ts';
import { channelName } from './channels.texts.ts';
import { PushPartPage } from './PushPart.tsx';
import { RuleFields } from './rules.fields.tsx';

const shownTags = 3;

/** The channels by which rules are named and told. */
export const useChannels = (): readonly Channel[] =>
  useCall(api.shield_push.channels, { page_size: maxChannels, order: 'asc' }).data?.content ?? [];

function Tags({ values }: { values: readonly string[] }) {
  const text = useText();
  return (
    <span className="lc-push-title">
      {values.slice(0, shownTags).map((value) => (
        <Tag key={value}>{text(value)}</Tag>
      ))}
      {values.length > shownTags && <span className="lc-soft">+{values.length - shownTags}</span>}
    </span>
  );
}

const eventText = (type: string): string => `webhook.event.${type}`;
const nameOf = ({ name, events }: Rule, text: (key: string) => string): string => name || text(eventText(events[0] ?? ''));

function RuleName({ rule }: { rule: Rule }) {
  return (
    <span className="lc-push-two">
      {rule.name && <strong>{rule.name}</strong>}
      <Tags values={rule.events.map(eventText)} />
    </span>
  );
}

function Scope({ rule }: { rule: Rule }) {
  const { t } = useTranslation();
  const parts = [
    ...(rule.domain_ids ? [t('shield_push.chosen_domains', { number: rule.domain_ids.length, count: rule.domain_ids.length })] : []),
    ...(rule.live_code_ids ? [t('shield_push.chosen_codes', { number: rule.live_code_ids.length, count: rule.live_code_ids.length })] : []),
  ];
  return parts.length === 0 ? t('shield_push.all') : parts.join(t('common.comma'));
}

function Repeat({ minutes }: { minutes: number | null }) {
  const { t } = useTranslation();
  return minutes === null ? t('shield_push.once') : t('shield_push.repeat_value', { minutes });
}

function ChannelsOf({ rule, channels }: { rule: Rule; channels: readonly Channel[] }) {
  const { t } = useTranslation();
  const names = channels.filter(({ id }) => rule.channel_ids.includes(id)).map(channelName);
  return names.length === 0 ? <span className="lc-soft">{t('shield_push.no_channel_chosen')}</span> : <Tags values={names} />;
}

const columns = (channels: readonly Channel[]) =>
  columnsOf(api.shield_push.rules, [
    { key: 'events', width: 320, card: 'title', title: 'shield_push.rule', render: (row) => <RuleName rule={row} /> },
    { key: 'channel_ids', width: 240, card: 'field', render: (row) => <ChannelsOf rule={row} channels={channels} /> },
    { key: 'scope', width: 150, card: 'field', render: (row) => <Scope rule={row} /> },
    { key: 'repeat', width: 130, render: (row) => <Repeat minutes={row.repeat_minutes} /> },
    { key: 'quiet', width: 130, render: (row) => (row.quiet_from ? `${row.quiet_from}–${row.quiet_to}` : '') },
    { key: 'enabled', kind: 'enabled', title: 'common.field.enabled' },
  ]);

function RuleForm({ rule, channels, onClose }: { rule: Rule | undefined; channels: readonly Channel[]; onClose: () => void }) {
  const shared = { children: <RuleFields channels={channels} rule={rule} />, onClose };
  if (!rule) {
    const initial = { events: [], channel_ids: channels.map(({ id }) => id), domain_ids: null, live_code_ids: null, enabled: true };
    return (
      <FormModal
        action={api.shield_push.add_rule}
        title="shield_push.add_rule"
        submit="shield_push.add_rule"
        initial={initial}
        {...shared}
      />
    );
  }
  const { id, domains: _domains, live_codes: _codes, created_at: _created, updated_at: _updated, ...initial } = rule;
  return (
    <FormModal
      action={api.shield_push.update_rule}
      title="shield_push.edit_rule"
      submit="common.save"
      initial={initial}
      toInput={(values) => ({ ...values, id })}
      {...shared}
    />
  );
}

/** Which events are told where, how often, and when not. */
export function Rules() {
  const text = useText();
  const channels = useChannels();
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const update = useAction(api.shield_push.update_rule);
  const removal = useRemoval<Rule, unknown>(api.shield_push.remove_rule, {
    node: 'shield_push.remove',
    title: 'shield_push.remove_rule_title',
    many: 'shield_push.remove_rules_title',
    content: 'shield_push.remove_rule_content',
    name: (rule) => ({ name: nameOf(rule, text) }),
  });
  const setEnabled = (rule: Rule) => {
    const { id, enabled } = rule;
    return update.run({ id, enabled: !enabled }, { name: nameOf(rule, text), undo: { id, enabled } });
  };
  const addButton = <AddButton node="shield_push.add" label="shield_push.add_rule" onClick={() => setEdited('new')} />;
  return (
    <PushPartPage part="rules" actions={addButton}>
      <ListTable
        list={api.shield_push.rules}
        columns={columns(channels)}
        name="shield_push.rules"
        defaultSort={{ sort: 'id', order: 'asc' }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'shield_push.update', onClick: setEdited },
          {
            key: 'enabled',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'shield_push.update',
            onClick: (row) => void setEnabled(row),
          },
          removal.row,
        ]}
        batchActions={[removal.batch]}
        empty={{ title: 'shield_push.no_rules', help: 'shield_push.no_rules_help', action: addButton }}
      />
      {edited && <RuleForm rule={edited === 'new' ? undefined : edited} channels={channels} onClose={() => setEdited(null)} />}
    </PushPartPage>
  );
}

import { Alert, Button, Card, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { digestPeriods, type VisitDigest } from '../../../../contract/visits/visit-digest.ts';
import { api } from '../../../kit/calls/api.ts';
import { useAction, useCall } from '../../../kit/calls/query.ts';
import { Drawer } from '../../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../../kit/dialogs/FormModal.tsx';
import { useRemoval } from '../../../kit/dialogs/removal.tsx';
import { Empty, Failure } from '../../../kit/feedback.ts';
import { useSite } from '../../../kit/site.tsx';
import { useFormat } from '../../../kit/texts/format.ts';
import { useValueLabel } from '../../../kit/workbench/labels.ts';
import type { Subject } from './subject.ts';
import './digests.css';

type Channel = VisitDigest['channels'][number];

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: clock(hour) }));
const usualHour = 9;

function useChannelName(): (channel: Channel) => string {
  const { t } = useTranslation();
  return ({ kind, name, target }) => [t(`visit_digest.channel.${kind}`), name || target].filter(Boolean).join(' · ');
}

function AddDigest({ screen, question, channels, onClose }: Subject & { channels: readonly Channel[]; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { languages } = useSite();
  const label = useValueLabel();
  const channelName = useChannelName();
  const site = channels.find(({ kind }) => kind === 'site') ?? channels[0];
  return (
    <FormModal
      action={api.visit_digest.add}
      title="visit_digest.add"
      submit="visit_digest.add"
      initial={{
        name: t('visit_digest.name_value', { screen: t(`menu.${screen}`) }),
        every: 'day',
        weekday: 1,
        hour: usualHour,
        language: i18n.language,
        channel_ids: site ? [site.id] : [],
      }}
      toInput={(values) => ({ ...values, question })}
      fields={[
        { kind: 'text', name: 'name', label: 'common.field.name' },
        {
          kind: 'radio',
          name: 'every',
          label: 'visit_digest.field.every',
          options: digestPeriods.map((value) => ({ value, label: `visit_digest.every.${value}` })),
        },
        {
          kind: 'select',
          name: 'weekday',
          label: 'visit_digest.field.weekday',
          options: [1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: label('weekday', String(value)) })),
          visible: ({ every }) => every === 'week',
        },
        { kind: 'select', name: 'hour', label: 'visit_digest.field.hour', help: 'visit_digest.hour_help', options: hours },
        {
          kind: 'select',
          name: 'language',
          label: 'visit_digest.field.language',
          options: languages.map(({ code, title }) => ({ value: code, label: title })),
        },
        {
          kind: 'select',
          name: 'channel_ids',
          label: 'visit_digest.field.channel_ids',
          multiple: true,
          options: channels.map((channel) => ({ value: channel.id, label: channelName(channel) })),
        },
      ]}
      onClose={onClose}
    />
  );
}

function Digest({ digest, screen }: { digest: VisitDigest; screen: Subject['screen'] }) {
  const { t } = useTranslation();
  const { shortTime } = useFormat();
  const label = useValueLabel();
  const channelName = useChannelName();
  const enabling = useAction(api.visit_digest.update_enabled);
  const sending = useAction(api.visit_digest.send);
  const removal = useRemoval<VisitDigest, unknown>(api.visit_digest.remove, {
    node: screen,
    title: 'visit_digest.remove_title',
    many: 'visit_digest.remove_many',
    content: 'visit_digest.remove_content',
    name: ({ name }) => ({ name }),
  });
  const { id, name, every, weekday, hour, enabled, next_at, told, channels } = digest;
  const when = t(every === 'day' ? 'visit_digest.daily_at' : 'visit_digest.weekly_at', {
    hour: clock(hour),
    weekday: label('weekday', String(weekday)),
  });
  return (
    <Card
      size="small"
      title={name}
      extra={!enabled && <Tag>{t('visit_digest.paused')}</Tag>}
      actions={[
        <Button key="send" type="text" loading={sending.isRunning} onClick={() => void sending.run({ id }, { name })}>
          {t('visit_digest.send')}
        </Button>,
        <Button
          key="enabled"
          type="text"
          loading={enabling.isRunning}
          onClick={() => void enabling.run({ ids: [id], enabled: !enabled }, { name, undo: { ids: [id], enabled } })}
        >
          {t(enabled ? 'visit_digest.pause' : 'visit_digest.go_on')}
        </Button>,
        <Button key="remove" type="text" danger onClick={() => void removal.ask([digest])}>
          {t('common.remove')}
        </Button>,
      ]}
    >
      <p>{when}</p>
      <p className="lc-soft">{channels.map(channelName).join(t('common.comma'))}</p>
      <p className="lc-soft">
        {[
          ...(enabled ? [t('visit_digest.next', { time: shortTime(next_at) })] : []),
          ...(told ? [t('visit_digest.told', { period: told.from === told.to ? told.to : `${told.from} – ${told.to}` })] : []),
        ].join(' · ')}
      </p>
    </Card>
  );
}

/** The digests of visits that are sent to the user, and one more of what he looks at. */
export function Digests({ onClose, ...subject }: Subject & { onClose: () => void }) {
  const { t } = useTranslation();
  const [isAdding, setIsAdding] = useState(false);
  const digests = useCall(api.visit_digest.inquire, {});
  const choices = useCall(api.visit_digest.choices, {});
  const channels = choices.data?.channels ?? [];
  const content = digests.data?.content ?? [];
  return (
    <Drawer open onClose={onClose} size={560} title={t('visit_digest.title')}>
      <div className="lc-digests">
        <p className="lc-soft">{t('visit_digest.intro')}</p>
        {choices.data && channels.length === 0 ? (
          <Alert type="info" showIcon title={t('visit_digest.no_channels')} description={t('visit_digest.no_channels_help')} />
        ) : (
          <Button type="primary" disabled={!choices.data} onClick={() => setIsAdding(true)}>
            {t('visit_digest.add')}
          </Button>
        )}
        {digests.error && !digests.data ? (
          <Failure error={digests.error} retry={() => void digests.refetch()} isRetrying={digests.isFetching} />
        ) : digests.data && content.length === 0 ? (
          <Empty picture="visits" title="visit_digest.empty" help="visit_digest.empty_help" />
        ) : (
          content.map((digest) => <Digest key={digest.id} digest={digest} screen={subject.screen} />)
        )}
      </div>
      {isAdding && <AddDigest {...subject} channels={channels} onClose={() => setIsAdding(false)} />}
    </Drawer>
  );
}

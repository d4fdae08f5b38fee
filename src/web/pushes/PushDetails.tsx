import { Descriptions } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PushDelivery } from '../../contract/detection/shield-push.ts';
import { Status, Time } from '../kit/feedback.ts';
import { useText } from '../kit/texts/text.ts';
import { channelName, deliveryKinds } from './channels.texts.ts';

/** What is told, where, and what became of it. */
export function PushDetails({ push }: { push: PushDelivery }) {
  const { t } = useTranslation();
  const text = useText();
  const channel = { kind: push.channel_kind, name: push.channel_name, target: push.channel_target };
  const kind = t(`shield_push.kind_${push.channel_kind}`);
  const name = text(channelName(channel));
  const items = [
    { key: 'channel', label: t('shield_push.channel'), children: name === kind ? kind : `${kind} · ${name}` },
    {
      key: 'state',
      label: t('common.field.state'),
      children: <Status kind={deliveryKinds[push.state]} label={`shield_push.delivery_${push.state}`} />,
    },
    { key: 'attempts', label: t('shield_push.attempts'), children: <span className="lc-num">{push.attempts}</span> },
    ...(['tried_at', 'next_attempt_at', 'seen_at', 'repeat_at'] as const).flatMap((key) =>
      push[key] ? [{ key, label: t(`shield_push.${key}`), children: <Time value={push[key]} exact /> }] : [],
    ),
    ...(push.duration_ms === null ? [] : [{ key: 'duration', label: t('shield_push.duration'), children: `${push.duration_ms} ms` }]),
    ...(push.error ? [{ key: 'error', label: t('shield_push.error'), children: push.error }] : []),
  ];
  return (
    <div className="lc-push-details">
      {push.content && <pre className="lc-push-text">{push.content}</pre>}
      <Descriptions size="small" column={{ xs: 1, md: 2, xl: 3 }} items={items} />
      {push.answer && (
        <div>
          <p className="lc-soft">{t('shield_push.answer')}</p>
          <pre className="lc-push-text lc-code">{push.answer}</pre>
        </div>
      )}
    </div>
  );
}

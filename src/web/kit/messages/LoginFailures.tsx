import { App } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../texts/format.ts';
import { takeLoginFailures } from './loginFailures.ts';

/** Says after a login that many others failed before it: the screen that opens is not about it. */
export function LoginFailures(): null {
  const { notification } = App.useApp();
  const { t } = useTranslation();
  const format = useFormat();
  const tell = useEffectEvent(() => {
    const failures = takeLoginFailures();
    if (!failures) return;
    const { number, addresses, last_at } = failures;
    const time = format.time(last_at);
    notification.warning({
      title: t('login.failures.title', { number }),
      description: t('login.failures.content', { addresses: addresses.join(', '), time }),
      duration: 0,
    });
  });
  useEffect(() => tell(), []);
  return null;
}

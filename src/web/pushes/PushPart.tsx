import { Segmented } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../kit/feedback.ts';

export const pushParts = ['outbox', 'rules', 'channels'] as const;
export type PushPart = (typeof pushParts)[number];

/** Goes to a part of this screen. */
export function useShowPart(): (part: PushPart) => void {
  const [, setSearch] = useSearchParams();
  return (part) => setSearch(part === 'outbox' ? {} : { part });
}

/** One part of the screen, with the way to the others. */
export function PushPartPage({ part, actions, children }: { part: PushPart; actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  const show = useShowPart();
  return (
    <Page title="menu.shield_push" help={t('shield_push.help')} actions={actions}>
      <Segmented<PushPart>
        className="lc-push-parts"
        aria-label={t('shield_push.parts')}
        value={part}
        onChange={show}
        options={pushParts.map((value) => ({ value, label: t(`shield_push.part_${value}`) }))}
      />
      {children}
    </Page>
  );
}

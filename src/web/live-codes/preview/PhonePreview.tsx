import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button, Form, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { useSite } from '../../kit/site.tsx';
import { useLiveTargets } from '../edit/live.ts';
import type { CodeValues } from '../edit/values.ts';
import { pageColors } from './colors.ts';
import { sightOf, type Visitor, visitors } from './decide.ts';
import { JumpPage } from './JumpPage.tsx';
import { LandingPage } from './LandingPage.tsx';
import { RefusalPage } from './RefusalPage.tsx';
import './preview.css';

type PhonePreviewProps = {
  /** Key of the target that is looked at; null follows the rotation. */
  chosen: string | null;
  choose: (key: string | null) => void;
  /** Address of the code as it is saved. */
  url: string | null;
};

/** What a visitor's phone would show with the form as it stands. */
export function PhonePreview({ chosen, choose, url }: PhonePreviewProps) {
  const { t } = useTranslation();
  const { form, initial } = useFormContext();
  const site = useSite();
  const live = useLiveTargets();
  const [visitor, setVisitor] = useState<Visitor>('scan_messenger');
  const values: CodeValues = Form.useWatch((all) => all as CodeValues, { form, preserve: true }) ?? (initial as CodeValues);
  if (!values.targets) return null;
  const sight = sightOf({ values, live, now: Date.now() }, visitor, chosen);
  const colors = pageColors(values.page_color ?? site.color);

  // A visitor who is refused sees the same page, whichever target would be next.
  const hasSteps = values.targets.length > 1 && (sight.kind !== 'refusal' || sight.refusal === 'exhausted');

  function step(by: number) {
    const from = sight.kind === 'target' ? sight.index : 0;
    const next = values.targets[(from + by + values.targets.length) % values.targets.length];
    if (next) choose(next.key);
  }

  return (
    <div className="lc-code-preview">
      <Select<Visitor>
        className="lc-wide"
        value={visitor}
        onChange={setVisitor}
        aria-label={t('set_qr_code.preview.visitor')}
        options={visitors.map((value) => ({ value, label: t(`set_qr_code.preview.visitors.${value}`) }))}
      />
      <section className="lc-code-phone" aria-label={t('set_qr_code.trial.titles.preview')} style={colors}>
        <div className="lc-code-phone-screen" aria-live="polite">
          {sight.kind === 'refusal' && (
            <RefusalPage refusal={sight.refusal} siteTitle={site.title} codeTitle={values.page_title} link={url ?? ''} />
          )}
          {sight.kind === 'fallback' && (
            <JumpPage url={sight.url} jumpType={1} title={values.page_title} note="set_qr_code.preview.fallback" />
          )}
          {sight.kind === 'target' &&
            (sight.target.kind === 'url' ? (
              <JumpPage url={sight.target.content} jumpType={values.jump_type} title={values.page_title} />
            ) : (
              <LandingPage target={sight.target} title={values.page_title} text={values.page_text} style={values.page_style} />
            ))}
        </div>
      </section>
      <div className="lc-code-preview-steps">
        {hasSteps && (
          <Button
            type="text"
            size="small"
            icon={<LeftOutlined />}
            aria-label={t('set_qr_code.preview.previous')}
            onClick={() => step(-1)}
          />
        )}
        <span className="lc-soft">
          {sight.kind === 'target'
            ? t('set_qr_code.preview.target', { number: sight.index + 1, count: values.targets.length })
            : t('set_qr_code.preview.no_target')}
        </span>
        {hasSteps && (
          <Button type="text" size="small" icon={<RightOutlined />} aria-label={t('set_qr_code.preview.next')} onClick={() => step(1)} />
        )}
      </div>
    </div>
  );
}

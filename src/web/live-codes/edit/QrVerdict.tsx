import { CheckCircleFilled, ClockCircleOutlined, InfoCircleFilled, WarningFilled } from '@ant-design/icons';
import { Button, Form, Switch } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { type QrKind, recogniseQr } from '../../../contract/qr-kind.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { useFormat } from '../../kit/format.ts';
import { useLiveTargets } from './live.ts';
import type { TargetValues } from './values.ts';

/** What was read in the picture of a target: the app and kind of its QR code, or that it holds none, and what follows from that. */
export function QrVerdict({ index, set }: { index: number; set: (values: Record<string, unknown>) => void }) {
  const { form } = useFormContext();
  const live = useLiveTargets();
  const target: TargetValues | undefined = Form.useWatch(['targets', index], { form, preserve: true });
  if (!target?.qr_kind) return null;
  const { qr_kind: kind, qr_text, any_picture, expires_at } = target;
  // How old a saved picture is nobody knows; one that is uploaded now is taken for new.
  const isNew = live.get(target.id ?? 0)?.content !== target.content;
  if (kind === 'none') return <NoCode index={index} isAnyPicture={any_picture} set={set} />;
  return <Code kind={kind} text={qr_text ?? ''} expire={isNew && expires_at === null ? (time) => set({ expires_at: time }) : undefined} />;
}

type NoCodeProps = { index: number; isAnyPicture: boolean; set: (values: Record<string, unknown>) => void };

function NoCode({ index, isAnyPicture, set }: NoCodeProps) {
  const { t } = useTranslation();
  const label = t('set_qr_code.picture.any_picture');
  return (
    <div className="qr-verdict">
      <p className="qr-verdict-line">
        {isAnyPicture ? <InfoCircleFilled className="qr-info" aria-hidden /> : <WarningFilled className="qr-warning" aria-hidden />}
        <span>{t(isAnyPicture ? 'set_qr_code.picture.as_poster' : 'set_qr_code.picture.none')}</span>
      </p>
      <label className="qr-verdict-switch" htmlFor={`any-picture-${index}`}>
        <Switch id={`any-picture-${index}`} size="small" checked={isAnyPicture} onChange={(any_picture) => set({ any_picture })} />
        {label}
      </label>
    </div>
  );
}

type CodeProps = {
  kind: Exclude<QrKind, 'none'>;
  text: string;
  /** Sets when the target ends; missing where that is no question. */
  expire: ((time: string) => void) | undefined;
};

function Code({ kind, text, expire }: CodeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { app, days } = recogniseQr(text);
  const what = app
    ? t(`set_qr_code.picture.apps.${app}.${kind}`, { defaultValue: t(`set_qr_code.picture.kinds.${kind}`) })
    : t(`set_qr_code.picture.kinds.${kind}`);
  return (
    <div className="qr-verdict">
      <p className="qr-verdict-line">
        <CheckCircleFilled className="qr-success" aria-hidden />
        <span>{t('set_qr_code.picture.found', { what })}</span>
        <span className="qr-verdict-text lc-code lc-soft" title={text}>
          {text}
        </span>
      </p>
      {days !== undefined && expire && (
        <p className="qr-verdict-line">
          <ClockCircleOutlined className="qr-warning" aria-hidden />
          <span>{t('set_qr_code.picture.expires', { days })}</span>
          <Button
            type="link"
            size="small"
            className="qr-verdict-act"
            onClick={() => expire(dayjs().add(days, 'day').second(0).millisecond(0).toISOString())}
          >
            {t('set_qr_code.picture.expire_then', { time: format.time(dayjs().add(days, 'day').toISOString()).slice(0, 16) })}
          </Button>
        </p>
      )}
    </div>
  );
}

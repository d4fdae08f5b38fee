import { CheckCircleFilled, ClockCircleOutlined, InfoCircleFilled, WarningFilled } from '@ant-design/icons';
import { Button, Form, Switch } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { type QrKind, recogniseQr } from '../../../../contract/codes/qr-kind.ts';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { useFormat } from '../../../kit/texts/format.ts';
import { useLiveTargets } from '../live.ts';
import type { TargetValues } from '../values.ts';

/** What was read in the picture of a target: the app and kind of its QR code, or that it holds none, and what follows from that. */
export function QrVerdict({ index, set }: { index: number; set: (values: Record<string, unknown>) => void }) {
  const { form } = useFormContext();
  const live = useLiveTargets();
  const target: TargetValues | undefined = Form.useWatch(['targets', index], { form, preserve: true });
  if (!target?.qr_kind) return null;
  const { qr_kind: kind, qr_text, any_picture, expires_at } = target;
  // How old a saved picture is nobody knows; one that is uploaded now is taken for new.
  const isNew = live.get(target.id ?? 0)?.content !== target.content;
  function setAnyPicture(any_picture: boolean) {
    set({ any_picture });
    // What the server said of the picture is answered by this.
    form.setFields([{ name: ['targets', index, 'content'], errors: [] }]);
  }
  if (kind === 'none') return <NoCode index={index} isAnyPicture={any_picture} setAnyPicture={setAnyPicture} />;
  const expire = isNew ? (time: string) => set({ expires_at: time }) : undefined;
  return <Code kind={kind} text={qr_text ?? ''} expiresAt={expires_at} expire={expire} />;
}

type NoCodeProps = { index: number; isAnyPicture: boolean; setAnyPicture: (isAnyPicture: boolean) => void };

function NoCode({ index, isAnyPicture, setAnyPicture }: NoCodeProps) {
  const { t } = useTranslation();
  const label = t('set_qr_code.picture.any_picture');
  return (
    <div className="lc-qr-verdict">
      <p className="lc-qr-verdict-note">
        {isAnyPicture ? <InfoCircleFilled className="lc-qr-info" aria-hidden /> : <WarningFilled className="lc-qr-warning" aria-hidden />}
        <span>{t(isAnyPicture ? 'set_qr_code.picture.as_poster' : 'set_qr_code.picture.none')}</span>
      </p>
      <label className="lc-qr-verdict-switch" htmlFor={`any-picture-${index}`}>
        <Switch id={`any-picture-${index}`} size="small" checked={isAnyPicture} onChange={setAnyPicture} />
        {label}
      </label>
    </div>
  );
}

type CodeProps = {
  kind: Exclude<QrKind, 'none'>;
  text: string;
  expiresAt: string | null;
  /** Sets when the target ends; missing where the picture is not new. */
  expire: ((time: string) => void) | undefined;
};

/** A target that ends so long before its code does was meant for the picture before. */
const nearMilliseconds = 3_600_000;

function Code({ kind, text, expiresAt, expire }: CodeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { app, days } = recogniseQr(text);
  const ends = days === undefined ? undefined : dayjs().add(days, 'day').second(0).millisecond(0);
  const isOffered = expire && ends && (expiresAt === null || Date.parse(expiresAt) < ends.valueOf() - nearMilliseconds);
  const what = app
    ? t(`set_qr_code.picture.apps.${app}.${kind}`, { defaultValue: t(`set_qr_code.picture.kinds.${kind}`) })
    : t(`set_qr_code.picture.kinds.${kind}`);
  return (
    <div className="lc-qr-verdict">
      <p className="lc-qr-verdict-line">
        <CheckCircleFilled className="lc-qr-success" aria-hidden />
        <span>{t('set_qr_code.picture.found', { what })}</span>
        <span className="lc-qr-verdict-text lc-code lc-soft" title={text}>
          {text}
        </span>
      </p>
      {isOffered && (
        <p className="lc-qr-verdict-line">
          <ClockCircleOutlined className="lc-qr-warning" aria-hidden />
          <span>{t('set_qr_code.picture.expires', { days })}</span>
          <Button type="link" size="small" className="lc-qr-verdict-act" onClick={() => expire(ends.toISOString())}>
            {t('set_qr_code.picture.expire_then', { time: format.time(ends.toISOString()).slice(0, 16) })}
          </Button>
        </p>
      )}
    </div>
  );
}

import { ReloadOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { ApiFailure, preparingCode } from '../calls/request.ts';
import { Art } from '../look/art/Art.tsx';
import { useStarted } from '../shell/startFrame.ts';
import { Copyable } from './Copyable.tsx';

function adviceKey(error: unknown): string {
  if (!(error instanceof ApiFailure)) return 'common.failure.advice_failed';
  if (error.status === 0) return 'common.failure.advice_network';
  if (error.status === 401) return 'common.failure.advice_login';
  if (error.status === 403) return 'common.failure.advice_rights';
  if (error.status >= 500) return error.error_id ? 'common.failure.advice_internal' : 'common.failure.advice_failed';
  return 'common.failure.advice_input';
}

type FailureProps = {
  error: unknown;
  /** Message key or text, where the error's own words would not help. */
  title?: string;
  retry?: () => void;
  isRetrying?: boolean;
};

/** What happened, what to do, retry, and the error's id for the operator to look up. */
export function Failure({ error, title, retry, isRetrying = false }: FailureProps) {
  const { t } = useTranslation();
  useStarted();
  if (error instanceof ApiFailure && error.code === preparingCode) return <Preparing words={failureText(error)} />;
  // What is the caller's own (no rights, not there) is said as it is; the rest is a failed load.
  const isLoad = !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500;
  const id = error instanceof ApiFailure ? error.error_id : undefined;
  return (
    <div className="lc-empty" role="alert">
      <Art name={error instanceof ApiFailure && error.status === 403 ? 'lock' : 'error'} />
      <p className="lc-empty-title">{title ? t(title) : isLoad ? t('common.load_failed') : failureText(error)}</p>
      {!title && isLoad && <p>{failureText(error)}</p>}
      <p className="lc-empty-help">{t(adviceKey(error))}</p>
      {retry && (
        <div className="lc-empty-action">
          <Button icon={<ReloadOutlined />} loading={isRetrying} onClick={retry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {id && (
        <p className="lc-error-id">
          {t('common.failure.id')} <Copyable value={id} code />
        </p>
      )}
    </div>
  );
}

/** Nothing failed: the answer comes by itself. */
function Preparing({ words }: { words: string }) {
  return (
    <div className="lc-empty" role="status">
      <Art name="visits" />
      <p className="lc-empty-title">{words}</p>
      <Spin />
    </div>
  );
}

import { ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { Copyable } from './Copyable.tsx';
import { EmptyPicture } from './pictures.tsx';

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

/** What happened, what to do, retry, and the error's id for whoever has to look it up. */
export function Failure({ error, title, retry, isRetrying = false }: FailureProps) {
  const { t } = useTranslation();
  const id = error instanceof ApiFailure ? error.error_id : undefined;
  return (
    <div className="lc-empty" role="alert">
      <EmptyPicture name={error instanceof ApiFailure && error.status === 403 ? 'lock' : 'error'} />
      <p className="lc-empty-title">{title ? t(title) : failureText(error)}</p>
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

import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { tokenExample } from '../../contract/people/api-token.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { useCopy } from './Secret.tsx';
import './developer.css';

/** A first call with a token, ready for a terminal. */
export function TokenExample({ token }: { token: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const example = tokenExample(window.location.origin, token);
  return (
    <>
      <p>{t('api_token.example')}</p>
      <pre className="lc-example lc-code">{example}</pre>
      <Button size="small" icon={<CopyOutlined />} onClick={() => void copy(example)}>
        {t('developer.copy_example')}
      </Button>
    </>
  );
}

/** How a machine calls the API. */
export function TokenHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open title={t('api_token.how')} size={600} onClose={onClose}>
      <div className="lc-developer-help">
        <p>{t('api_token.how_header')}</p>
        <div>
          <TokenExample token="lc_…" />
        </div>
        <p>{t('api_token.how_scope')}</p>
        <p>{t('api_token.how_errors')}</p>
        <p>{t('api_token.how_repeat')}</p>
        <p>
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {t('api_token.documentation')}
          </a>
        </p>
      </div>
    </Drawer>
  );
}

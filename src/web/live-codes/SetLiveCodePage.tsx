import { ArrowLeftOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { LiveCodeDetails } from '../../contract/codes/live-code.ts';
import { codePage } from '../kit/CodeLink.tsx';
import { useSession } from '../kit/calls/session.tsx';
import { Page } from '../kit/feedback.ts';
import { LiveCodeForm } from './edit/LiveCodeForm.tsx';
import { idIn, LoadedCode, useCodesList } from './page/CodeStates.tsx';
import './live-codes.css';

/** `?copy=` makes a code like another, without it a new one is made; `?id=` leads to the settings on a code's page. */
export function SetLiveCodePage() {
  const [params] = useSearchParams();
  const [id, copied] = [params.get('id'), params.get('copy')];
  const known = idIn(id);
  if (known !== undefined) return <Navigate to={codePage(known, 'settings')} replace />;
  if (id === null && copied === null) return <NewCode key="new" />;
  return (
    <LoadedCode key={`copy ${copied}`} id={idIn(copied)}>
      {(code) => <NewCode original={code} />}
    </LoadedCode>
  );
}

function NewCode({ original }: { original?: LiveCodeDetails }) {
  const { t } = useTranslation();
  return (
    <Page
      title={original ? 'set_qr_code.copy' : 'set_qr_code.create'}
      actions={
        <Link to={useCodesList(useSession().user?.id)} className="lc-code-back">
          <ArrowLeftOutlined aria-hidden /> {t('set_qr_code.back')}
        </Link>
      }
    >
      <LiveCodeForm {...(original ? { original } : {})} />
    </Page>
  );
}

import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { Page } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import { HomeBlocks } from './blocks/HomeBlocks.tsx';
import './home.css';
import { LiveState } from '../kit/socket/LiveState.tsx';
import { Money } from './Money.tsx';
import { Needs } from './Needs.tsx';
import { Possessions } from './Possessions.tsx';
import { Site } from './Site.tsx';
import { Steps } from './Steps.tsx';
import { ExportToday } from './today/ExportToday.tsx';
import { NewestVisits } from './today/NewestVisits.tsx';
import { Today } from './today/Today.tsx';
import { useChosenCodes, useToday } from './today/useToday.ts';

/** The first screen after login: what needs the user, how his codes are visited, and what the operator has to say. */
export function HomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { timeZone } = useFormat();
  const { user } = useSession();
  const home = useCall(api.home.inquire, {});
  const [codes, chooseCodes] = useChosenCodes();
  const today = useToday(codes);
  // Who has no code sees what to do first instead of zeros.
  const isNew = home.data !== undefined && home.data.codes.total === 0;

  return (
    <Page
      title="menu.today_statistics"
      art="calm"
      help={user ? t('home.welcome', { name: user.name || user.account }) : undefined}
      actions={
        <>
          {today.query.data && !isNew && (
            <>
              <LiveState
                now={today.query.data.now}
                timeZone={timeZone}
                isPaused={today.isPaused}
                pause={today.pause}
                isFailing={today.query.error !== null}
              />
              <Allowed node="today_statistics.export">
                <ExportToday today={today.query.data} timeZone={timeZone} />
              </Allowed>
            </>
          )}
          <Allowed node="qr_code_list.add">
            <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/customer/set_qr_code')}>
              {t('set_qr_code.create_button')}
            </Button>
          </Allowed>
        </>
      }
    >
      <div className="lc-home-blocks">
        <Needs isQuietHidden={isNew} />
        {/* What a new site needs first are not its zeros. */}
        {isNew && <Steps home={home.data} />}
        <Site isPaused={today.isPaused} />
        {home.data && !isNew && <Steps home={home.data} />}
        {home.data && <HomeBlocks blocks={home.data.blocks} isPreview={false} />}
        {!isNew && <Today {...today} codes={codes} chooseCodes={chooseCodes} newest={<NewestVisits isPaused={today.isPaused} />} />}
        <Money />
        {home.data && <Possessions home={home.data} />}
      </div>
    </Page>
  );
}

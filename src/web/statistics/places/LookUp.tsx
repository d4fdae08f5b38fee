import { Button, Form, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { ipData } from '../../../contract/visits/ip-data.ts';
import { api } from '../../kit/calls/api.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { placeWords } from './placeWords.ts';

type Found = OutputOf<(typeof ipData)['calls']['look_up']>;

/** What the list says of an address, what corrections say, and which of them counts. */
export function LookUp({ corrections }: { corrections: number }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const [ip, setIp] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const [fault, setFault] = useState<string>();
  const lookUp = useAction(api.ip_data.look_up, {
    success: false,
    onFailure({ fields }) {
      const { ip: code } = fields;
      setFault(code && fieldErrorText(code));
      return code !== undefined;
    },
  });
  async function run() {
    setFault(undefined);
    setFound(null);
    if (ip.trim() === '') setFault(fieldErrorText('required'));
    else setFound((await lookUp.run({ ip })) ?? null);
  }
  return (
    <section className="lc-panel" aria-labelledby="ip-look-up">
      <header className="lc-panel-head">
        <div>
          <h2 id="ip-look-up">{t('ip_data.look_up')}</h2>
          <p className="lc-soft">
            {t('ip_data.look_up_help', { count: corrections })}{' '}
            {allows('ip_correction') && <Link to="/system/ip_correction">{t('menu.ip_correction')}</Link>}
          </p>
        </div>
      </header>
      <Form.Item className="lc-ip-look-up" validateStatus={fault ? 'error' : ''} help={fault}>
        <Space.Compact className="lc-wide">
          <Input
            className="lc-code"
            aria-label={t('common.field.ips')}
            placeholder="114.114.114.114"
            value={ip}
            maxLength={100}
            onChange={(event) => setIp(event.target.value)}
            onPressEnter={() => void run()}
          />
          <Button type="primary" loading={lookUp.isRunning} onClick={() => void run()}>
            {t('common.look_up')}
          </Button>
        </Space.Compact>
      </Form.Item>
      {found && <Answer found={found} />}
    </section>
  );
}

function Answer({ found: { ip, data, corrections, used } }: { found: Found }) {
  const { t } = useTranslation();
  const [counting, ...others] = corrections;
  return (
    <dl className="lc-ip-facts" aria-live="polite">
      <div>
        <dt>{t('ip_data.says_data')}</dt>
        <dd>{placeWords(data)}</dd>
      </div>
      <div>
        <dt>{t('ip_data.says_correction')}</dt>
        <dd>
          {counting ? t('ip_data.counting', { place: placeWords(counting), range: counting.range }) : t('ip_data.no_correction')}
          {others.map((other) => (
            <span key={other.id} className="lc-soft lc-ip-passed">
              {t('ip_data.passed_over', { range: other.range, place: placeWords(other) })}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>{t('ip_data.says_used', { ip })}</dt>
        <dd>
          <b>{placeWords(used)}</b>
        </dd>
      </div>
    </dl>
  );
}

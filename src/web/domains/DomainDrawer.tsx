import { Alert, Button, Skeleton, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DomainDetails } from '../../contract/domains/domain-list.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { useCodesRoute } from '../kit/codes/codesScreen.ts';
import { useMonitorScreen } from '../kit/detection/monitorScreen.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { BlockStatus, Certificate, dnsStatus, Registration } from '../kit/domainStates.tsx';
import { Copyable, Failure, Num, Status, Time } from '../kit/feedback.ts';
import { FrozenAlert } from '../kit/freezing/Frozen.tsx';
import { hostName } from '../kit/host.ts';
import { useIsPhone } from '../kit/look/media.ts';
import { DomainType, Holder } from './DomainCells.tsx';
import { DomainChecks } from './DomainChecks.tsx';
import { Replacements } from './Replacements.tsx';

type Props = {
  id: number;
  host: string;
  pollSeconds: number;
  onCheck: () => void;
  onReplace: (domain: DomainDetails) => void;
  onClose: () => void;
};

/** Everything about one domain: the records it needs and has, its certificate and registration, the codes on it, its replacements. */
export function DomainDrawer({ id, host, pollSeconds, onCheck, onReplace, onClose }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const answer = useCall(api.domain_list.details, { id }, { refetchInterval: pollSeconds > 0 ? pollSeconds * 1000 : false });
  const found = answer.data;
  const extra = (
    <>
      <Allowed node="domain_list.check">
        <Button onClick={onCheck}>{t('domain_list.check')}</Button>
      </Allowed>
      {found && found.live_code_count + found.short_code_count > 0 && (
        <Allowed node="domain_list.replace">
          <Button onClick={() => onReplace(found)}>{t('menu.button.replace')}</Button>
        </Allowed>
      )}
    </>
  );
  return (
    <Drawer
      open
      onClose={onClose}
      size={680}
      title={found ? hostName(found) : host}
      extra={<div className="lc-form-footer">{!isPhone && extra}</div>}
    >
      {isPhone && <div className="lc-form-footer lc-domain-section">{extra}</div>}
      {answer.isError && !found ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      ) : found ? (
        <Details found={found} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  );
}

function Details({ found }: { found: DomainDetails }) {
  const { t } = useTranslation();
  const screen = useMonitorScreen();
  return (
    <>
      <FrozenAlert className="lc-domain-section" what="domain" row={found} />
      <dl className="lc-domain-facts lc-domain-section">
        {found.host_unicode && (
          <>
            <dt>{t('domain_list.punycode')}</dt>
            <dd>
              <Copyable value={found.host} code />
            </dd>
          </>
        )}
        <dt>{t('common.field.type')}</dt>
        <dd>
          <DomainType row={found} />
        </dd>
        <dt>{t('domain_list.holder')}</dt>
        <dd>
          <Holder row={found} />
        </dd>
        <dt>{t('domain_list.block_status')}</dt>
        <dd>
          <BlockStatus row={found} />
        </dd>
        {found.remark && (
          <>
            <dt>{t('common.field.remark')}</dt>
            <dd>{found.remark}</dd>
          </>
        )}
      </dl>
      {screen && found.monitor_id !== null && <DomainChecks screen={screen} monitor_id={found.monitor_id} />}
      <Records found={found} />
      <CertificateFacts found={found} />
      <RegistrationFacts found={found} />
      <Codes found={found} />
      {found.replacements.length > 0 && (
        <section className="lc-domain-section">
          <h3>{t('domain_list.replacements')}</h3>
          <Replacements rows={found.replacements} />
        </section>
      )}
    </>
  );
}

function Records({ found }: { found: DomainDetails }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { records, needed } = found;
  const seen = records ? [...records.cname.map((value) => `CNAME ${value}`), ...records.a, ...records.aaaa] : [];
  return (
    <section className="lc-domain-section">
      <h3>{t('domain_list.records')}</h3>
      <dl className="lc-domain-facts lc-domain-section">
        <dt>{t('domain_list.dns_state')}</dt>
        <dd>
          <Status {...dnsStatus(found)} />
        </dd>
        <dt>{t('domain_list.records_found')}</dt>
        <dd className="lc-code">{seen.length > 0 ? seen.join(', ') : '–'}</dd>
        {records?.error && (
          <>
            <dt>{t('domain_list.records_error')}</dt>
            <dd className="lc-code">{records.error}</dd>
          </>
        )}
        <dt>{t('domain_list.checked_at')}</dt>
        <dd>
          <Time value={found.checked_at} />
        </dd>
      </dl>
      {needed.length === 0 ? (
        <Alert type="info" showIcon title={t('domain_list.no_site_address')} />
      ) : isPhone ? (
        <NeededRecords rows={needed} />
      ) : (
        <Table
          size="small"
          pagination={false}
          rowKey={(row) => `${row.type} ${row.value}`}
          dataSource={needed}
          title={() => t('domain_list.records_needed')}
          scroll={{ x: 'max-content' }}
          columns={[
            { key: 'name', title: t('domain_list.record_name'), render: (_, row) => <Copyable value={row.name} code maximum={28} /> },
            { key: 'type', dataIndex: 'type', title: t('domain_list.record_type') },
            { key: 'value', title: t('domain_list.record_value'), render: (_, row) => <Copyable value={row.value} code /> },
            { key: 'present', title: t('common.field.state'), render: (_, row) => <Presence row={row} /> },
          ]}
        />
      )}
    </section>
  );
}

type NeededRecord = DomainDetails['needed'][number];

function Presence({ row: { present } }: { row: NeededRecord }) {
  return <Status kind={present ? 'success' : 'neutral'} label={present ? 'domain_list.record_present' : 'domain_list.record_missing'} />;
}

/** Where there is no room for a table: what has to be copied stands below each other. */
function NeededRecords({ rows }: { rows: readonly NeededRecord[] }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="lc-soft">{t('domain_list.records_needed')}</p>
      <ul className="lc-domain-codes">
        {rows.map((row) => (
          <li key={`${row.type} ${row.value}`}>
            <span>
              <Copyable value={row.name} code maximum={28} />
              <br />
              <span className="lc-soft">{row.type}</span> <Copyable value={row.value} code maximum={24} />
            </span>
            <Presence row={row} />
          </li>
        ))}
      </ul>
    </>
  );
}

function CertificateFacts({ found }: { found: DomainDetails }) {
  const { t } = useTranslation();
  const { certificate } = found;
  return (
    <section className="lc-domain-section">
      <h3>{t('domain_list.certificate_title')}</h3>
      <dl className="lc-domain-facts">
        <dt>{t('common.field.state')}</dt>
        <dd>
          <Certificate row={found} />
        </dd>
        {certificate?.issuer && (
          <>
            <dt>{t('domain_list.certificate.issuer')}</dt>
            <dd>{certificate.issuer}</dd>
            <dt>{t('domain_list.certificate.names')}</dt>
            <dd className="lc-code">{certificate.names.join(', ') || certificate.subject}</dd>
            <dt>{t('common.field.expires_at')}</dt>
            <dd>
              <Time value={found.certificate_expires_at} exact />
            </dd>
          </>
        )}
        {certificate && certificate.address !== '' && (
          <>
            <dt>{t('domain_list.certificate.address')}</dt>
            <dd className="lc-code">{certificate.address}</dd>
          </>
        )}
        {certificate?.error && (
          <>
            <dt>{t('common.field.reason')}</dt>
            <dd className="lc-code">{certificate.error}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Until when the name is registered, who says so, and what the registry answered last. */
function RegistrationFacts({ found }: { found: DomainDetails }) {
  const { t } = useTranslation();
  const { registration, registration_expires_at, registration_source } = found;
  if (!registration && registration_expires_at === null) return null;
  return (
    <section className="lc-domain-section">
      <h3>{t('domain_list.registration_title')}</h3>
      <dl className="lc-domain-facts">
        {registration && (
          <>
            <dt>{t('domain_list.registration.name')}</dt>
            <dd className="lc-code">{registration.name}</dd>
          </>
        )}
        <dt>{t('common.field.state')}</dt>
        <dd>
          <Registration row={found} />
        </dd>
        {registration_source && (
          <>
            <dt>{t('common.field.expires_at')}</dt>
            <dd>
              <Time value={registration_expires_at} exact />
            </dd>
            <dt>{t('domain_list.registration.source')}</dt>
            <dd>{t(`domain_list.registration.source_${registration_source}`)}</dd>
          </>
        )}
        {registration?.found_at && (
          <>
            <dt>{t('domain_list.registration.found_at')}</dt>
            <dd>
              <Time value={registration.found_at} />
            </dd>
          </>
        )}
        {registration?.fault && (
          <>
            <dt>{t('domain_list.registration.asked_at')}</dt>
            <dd>
              <Time value={registration.asked_at} /> · {t(`domain_list.registration.fault_${registration.fault}`)}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Codes({ found }: { found: DomainDetails }) {
  const { t } = useTranslation();
  const codesAt = useCodesRoute();
  const { codes, live_code_count, short_code_count, type } = found;
  const field = type === 2 ? 'landing_domain_id' : 'entry_domain_id';
  return (
    <section className="lc-domain-section">
      <h3>
        {t(type === 3 ? 'domain_list.short_code_count' : 'common.field.code_count')}{' '}
        <span className="lc-soft">
          <Num value={type === 3 ? short_code_count : live_code_count} />
        </span>
      </h3>
      <ul className="lc-domain-codes">
        {codes.map((code) => (
          <li key={code.id}>
            <CodeLink id={code.id} name={code.name} />
            <span className="lc-soft lc-code">{code.file_name}</span>
          </li>
        ))}
      </ul>
      {live_code_count > codes.length && codes.length > 0 && (
        <Link to={codesAt(`${field}=${found.id}`)}>{t('domain_list.all_codes', { number: live_code_count })}</Link>
      )}
    </section>
  );
}

import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { type CodePagePart, codePage, codePageParts } from '../../kit/CodeLink.tsx';
import { Copyable, Page, Status, useDocumentTitle } from '../../kit/feedback.ts';
import { FrozenAlert } from '../../kit/freezing/Frozen.tsx';
import { LockedFigures } from '../../kit/LockedFigures.tsx';
import { UnknownRoute } from '../../kit/shell/Guard.tsx';
import { LiveCodeForm } from '../edit/LiveCodeForm.tsx';
import { GroupTag } from '../groups/GroupTag.tsx';
import { AllClosed } from '../list/AllCodesSwitch.tsx';
import { OpenSwitch } from '../list/switches.tsx';
import { StatisticsPanel } from '../statistics/StatisticsPanel.tsx';
import { VisitorList } from '../statistics/VisitorList.tsx';
import { VersionList } from '../versions/VersionList.tsx';
import { AliasesPanel } from './AliasesPanel.tsx';
import { idIn, LoadedCode, RemovedCode, useCodesList } from './CodeStates.tsx';
import { OverQuotaAlert } from './OverQuotaAlert.tsx';
import { Overview } from './Overview.tsx';
import { useCodeRights } from './useCodeRights.ts';
import '../live-codes.css';
import './page.css';

/** The page of one live code: what it is and does, and everything that can be done with it. Each of its parts has an address. */
export function QrCodePage() {
  const { id: text, part: name } = useParams();
  const id = idIn(text);
  const part = codePageParts.find((one) => one === name);
  if (name !== undefined && part === undefined) return <UnknownRoute />;
  return (
    <LoadedCode key={id} id={id}>
      {(code) => (code.removed ? <RemovedCode code={code} /> : <CodeOf code={code} part={part} />)}
    </LoadedCode>
  );
}

function CodeOf({ code, part }: { code: LiveCodeDetails; part: CodePagePart | undefined }) {
  const { t } = useTranslation();
  const { sees, may } = useCodeRights(code);
  useDocumentTitle(part ? `${code.name} · ${t(`qr_code.part.${part}`)}` : code.name);
  const parts = codePageParts.filter(
    (one) => ({ statistics: sees('statistics'), visitors: sees('visitors'), settings: may('edit'), history: true })[one],
  );
  return (
    <Page
      title={code.name}
      help={<Facts code={code} isEdited={part === 'settings'} />}
      actions={
        <Link to={useCodesList(code.owner_id)} className="lc-code-back">
          <ArrowLeftOutlined aria-hidden /> {t('set_qr_code.back')}
        </Link>
      }
    >
      <Parts id={code.id} parts={parts} present={part} />
      <Created />
      {code.frozen && part !== 'settings' && <FrozenAlert className="lc-code-alert" what={code.frozen} row={code} />}
      <OverQuotaAlert code={code} />
      <AllClosed code={code} />
      {part === undefined ? <Overview code={code} /> : parts.includes(part) ? contentOf(part, code) : <NotAllowed />}
    </Page>
  );
}

function contentOf(part: CodePagePart, code: LiveCodeDetails): ReactNode {
  switch (part) {
    case 'statistics':
      return code.view_number === null ? <LockedFigures /> : <StatisticsPanel code={code} />;
    case 'visitors':
      return code.view_number === null ? <LockedFigures /> : <VisitorList code={code} />;
    case 'settings':
      return (
        <>
          <LiveCodeForm code={code} />
          <AliasesPanel code={code} />
        </>
      );
    case 'history':
      return (
        <section className="lc-panel lc-code-history">
          <VersionList code={code} />
        </section>
      );
  }
}

/** Whether it answers, its key, and where it belongs. While its settings are edited, the form has the switch. */
function Facts({ code, isEdited }: { code: LiveCodeDetails; isEdited: boolean }) {
  const isOver = code.expires_at !== null && Date.parse(code.expires_at) <= Date.now();
  return (
    <span className="lc-code-facts">
      {isEdited ? null : <OpenSwitch code={code} withWord />}
      {isOver && <Status kind="error" label="common.expired" />}
      <Copyable value={code.file_name} code />
      {code.group && <GroupTag group={code.group} />}
      {code.remark && <span>{code.remark}</span>}
    </span>
  );
}

/** The parts of the page, as links. */
function Parts({ id, parts, present }: { id: number; parts: readonly CodePagePart[]; present: CodePagePart | undefined }) {
  const { t } = useTranslation();
  return (
    <nav className="lc-code-parts" aria-label={t('qr_code.parts')}>
      {[undefined, ...parts].map((part) => (
        <Link key={part ?? 'overview'} to={codePage(id, part)} aria-current={part === present ? 'page' : undefined}>
          {t(`qr_code.part.${part ?? 'overview'}`)}
        </Link>
      ))}
    </nav>
  );
}

/** Says of a new code that it is there, and what comes next. */
function Created() {
  const { t } = useTranslation();
  const { state } = useLocation();
  const [isClosed, setIsClosed] = useState(false);
  if (isClosed || (state as { created?: boolean } | null)?.created !== true) return null;
  return (
    <Alert
      className="lc-code-alert"
      type="success"
      showIcon
      closable={{ onClose: () => setIsClosed(true) }}
      role="status"
      title={
        <>
          <b>{t('set_qr_code.created')}</b> {t('qr_code.created_help')}
        </>
      }
    />
  );
}

function NotAllowed() {
  const { t } = useTranslation();
  return (
    <Alert className="lc-code-alert" type="warning" showIcon title={t('common.no_rights.title')} description={t('common.no_rights.help')} />
  );
}

import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { ContractForm } from '../../kit/dialogs/FormModal.tsx';
import { Page } from '../../kit/feedback.ts';
import { useMedia } from '../../kit/look/media.ts';
import { LiveTargetsProvider } from './live.ts';
import { SaveBar } from './SaveBar.tsx';
import { SectionIndex } from './SectionIndex.tsx';
import { BasicsSection, DomainsSection, LimitsSection, PageSection, RecordSection } from './sections.tsx';
import { TargetsSection } from './TargetsSection.tsx';
import { AsidePanel, type AsideView } from './trial/AsidePanel.tsx';
import { useLiveCodeForm } from './useLiveCodeForm.ts';
import type { CodeValues } from './values.ts';
import './edit.css';

/** Of so many targets, all are open when the page is; more would hide the rest of the page. */
const mostOpenTargets = 2;
/** Of so many targets with faults the fields are shown at once; the others come after these are mended. */
const mostOpenedFaults = 10;

type LiveCodeFormProps = {
  /** The code to change. */
  code?: LiveCodeDetails;
  /** The code that a new one is made like. */
  original?: LiveCodeDetails;
};

/** The page of one live code: its sections, what a visitor would see beside them, and the bar that saves. */
export function LiveCodeForm({ code, original }: LiveCodeFormProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const isWide = useMedia('(min-width: 1200px)');
  const { contract, saved, current, isOutdated, reload, follow, take } = useLiveCodeForm({ code, original });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsideOpen, setIsAsideOpen] = useState(false);
  const [view, setView] = useState<AsideView>('preview');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const { targets } = contract.initial as CodeValues;
    return new Set(targets.length > mostOpenTargets ? [] : targets.map((target) => target.key));
  });
  const live = useMemo(() => new Map(current?.targets.map((target) => [target.id, target])), [current]);
  const refill = useAction(api.qr_code_list.refill, { success: 'qr_code_list.refill.done', onSuccess: follow });
  const maySave = saved ? allows('qr_code_list.update') || allows('set_qr_code.save') : allows('qr_code_list.add');

  /** Faults inside closed targets open them, and the first one comes into sight. */
  async function submit() {
    const output = await contract.submit();
    const faulty = contract.form.getFieldsError().filter((field) => field.errors.length > 0);
    const targets: CodeValues['targets'] = contract.form.getFieldValue('targets');
    const keys = faulty.flatMap(({ name }) => (name[0] === 'targets' ? (targets[Number(name[1])]?.key ?? []) : []));
    if (keys.length > 0) setOpen((present) => new Set([...present, ...keys.slice(0, mostOpenedFaults)]));
    const first = faulty[0];
    // Fields that are made only now show their faults once they stand.
    if (first && !output)
      setTimeout(() => {
        contract.form.setFields(faulty.map(({ name, errors }) => ({ name, errors })));
        contract.form.scrollToField(first.name, { focus: true, block: 'center' });
      });
    return output;
  }

  async function discard() {
    const yes = await confirm({
      title: 'set_qr_code.discard.title',
      content: 'set_qr_code.discard.content',
      confirm: 'set_qr_code.discard.yes',
      danger: true,
    });
    if (yes) contract.reset(contract.initial);
  }

  async function takeNewest() {
    const yes = await confirm({
      title: 'set_qr_code.outdated.title',
      content: 'set_qr_code.outdated.loses',
      confirm: 'set_qr_code.outdated.reload',
      danger: true,
    });
    if (yes) await reload();
  }

  const form = { ...contract, submit };
  const aside = <AsidePanel view={view} setView={setView} chosen={chosen} choose={setChosen} id={saved?.id} url={current?.url ?? null} />;
  const tryOut = (wanted: AsideView) => {
    setView(wanted);
    setIsAsideOpen(true);
  };
  return (
    <Page
      title={saved ? saved.name : original ? 'set_qr_code.copy' : 'set_qr_code.create'}
      actions={
        <Link to="/customer/qr_code_list" className="code-back">
          <ArrowLeftOutlined aria-hidden /> {t('set_qr_code.back')}
        </Link>
      }
    >
      <LiveTargetsProvider value={live}>
        <ContractForm form={form}>
          <div className="code-editor">
            <SectionIndex />
            <div className="code-sections">
              {isOutdated && (
                <Alert
                  className="code-alert code-outdated"
                  type="warning"
                  showIcon
                  title={t('set_qr_code.outdated.title')}
                  description={t('set_qr_code.outdated.content')}
                  action={
                    <Button size="small" onClick={() => void takeNewest()}>
                      {t('set_qr_code.outdated.reload')}
                    </Button>
                  }
                />
              )}
              <BasicsSection code={current} />
              <TargetsSection
                open={open}
                setOpen={setOpen}
                look={setChosen}
                tryOut={tryOut}
                refill={saved && allows('qr_code_list.refill') ? (target_id) => void refill.run({ id: saved.id, target_id }) : undefined}
              />
              <DomainsSection code={current} />
              <LimitsSection />
              <PageSection code={current} />
              <RecordSection code={current} />
            </div>
            {isWide && <aside className="code-aside">{aside}</aside>}
          </div>
          {!isWide && (
            <Drawer open={isAsideOpen} onClose={() => setIsAsideOpen(false)} title={t(`set_qr_code.trial.titles.${view}`)} size={400}>
              {aside}
            </Drawer>
          )}
          <SaveBar
            form={form}
            code={current}
            maySave={maySave}
            discard={() => void discard()}
            take={take}
            preview={isWide ? null : () => tryOut('preview')}
          />
        </ContractForm>
      </LiveTargetsProvider>
    </Page>
  );
}

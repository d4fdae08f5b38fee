import { DownOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { ContractForm } from '../../kit/dialogs/FormModal.tsx';
import { FrozenAlert } from '../../kit/freezing/Frozen.tsx';
import { useMedia } from '../../kit/look/media.ts';
import { LiveTargetsProvider } from './live.ts';
import { SaveBar } from './SaveBar.tsx';
import { sectionId } from './Section.tsx';
import { SectionIndex } from './SectionIndex.tsx';
import { BasicsSection, DomainsSection, LimitsSection, PageSection, RecordSection } from './sections.tsx';
import { TargetsSection } from './targets/TargetsSection.tsx';
import { AsidePanel, type AsideView } from './trial/AsidePanel.tsx';
import { useLiveCodeForm } from './useLiveCodeForm.ts';
import type { CodeValues } from './values.ts';
import './edit.css';

/** Of so many targets, all are open when the page is; more would hide the rest of the page. */
const maxOpenTargets = 2;
/** Of so many targets with faults the fields are shown at once; the others come after these are mended. */
const maxOpenedFaults = 10;

/** What a new code is asked for at first: its name, and where it leads. */
const isQuickField = (name: readonly (string | number)[]): boolean =>
  name[0] === 'name' || (name[0] === 'targets' && name[1] === 0 && name[2] === 'content');

type LiveCodeFormProps = {
  /** The code to change. */
  code?: LiveCodeDetails;
  /** The code that a new one is made like. */
  original?: LiveCodeDetails;
};

/** Which targets stand open; faults inside closed ones open them when the form is sent, and the first fault comes into sight. */
function useOpenTargets({ contract }: Pick<ReturnType<typeof useLiveCodeForm>, 'contract'>) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    const { targets } = contract.initial as CodeValues;
    return new Set(targets.length > maxOpenTargets ? [] : targets.map((target) => target.key));
  });

  async function submit(reveal: () => void) {
    const output = await contract.submit();
    const faulty = contract.form.getFieldsError().filter((field) => field.errors.length > 0);
    if (faulty.some(({ name }) => !isQuickField(name))) reveal();
    const targets: CodeValues['targets'] = contract.form.getFieldValue('targets');
    const keys = faulty.flatMap(({ name }) => (name[0] === 'targets' ? (targets[Number(name[1])]?.key ?? []) : []));
    if (keys.length > 0) setOpen((present) => new Set([...present, ...keys.slice(0, maxOpenedFaults)]));
    const first = faulty[0];
    // Fields that are made only now show their faults once they stand.
    if (first && !output)
      setTimeout(() => {
        contract.form.setFields(faulty.map(({ name, errors }) => ({ name, errors })));
        contract.form.scrollToField(first.name, { focus: true, block: 'center' });
      });
    return output;
  }
  return { open, setOpen, submit };
}

/** Another user saved the code meanwhile: its newest state can be taken, after a question. */
function OutdatedAlert({ reload }: { reload: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  async function takeNewest() {
    const question = { title: 'set_qr_code.outdated.title', content: 'set_qr_code.outdated.loses', confirm: 'set_qr_code.outdated.reload' };
    if (await confirm({ ...question, danger: true })) await reload();
  }
  return (
    <Alert
      className="lc-code-alert lc-code-outdated"
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
  );
}

/** Everything that is set of one live code: its sections, what a visitor would see beside them, and the bar that saves. */
export function LiveCodeForm({ code, original }: LiveCodeFormProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const isWide = useMedia('(min-width: 1200px)');
  const { contract, saved, current, isOutdated, reload, follow } = useLiveCodeForm({ code, original });
  const { open, setOpen, submit } = useOpenTargets({ contract });
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAsideOpen, setIsAsideOpen] = useState(false);
  const [view, setView] = useState<AsideView>('preview');
  // A new code needs a link and nothing else; everything else is a click away.
  const [isQuick, setIsQuick] = useState(!code && !original);
  useFirstFocus(isQuick, contract.form);
  const live = useMemo(() => new Map(current?.targets.map((target) => [target.id, target])), [current]);
  const refill = useAction(api.qr_code_list.refill, { onSuccess: follow });
  const savingNodes = ['qr_code_list.update', 'set_qr_code.save', 'qr_code_list_admin.update'] as const;
  const maySave = saved ? savingNodes.some(allows) : allows('qr_code_list.add');

  async function discard() {
    const question = { title: 'set_qr_code.discard.title', content: 'set_qr_code.discard.content', confirm: 'menu.button.undo' };
    if (await confirm({ ...question, danger: true })) contract.reset(contract.initial);
  }

  function showAll() {
    setIsQuick(false);
    document.getElementById(sectionId('basics'))?.focus({ preventScroll: true });
  }
  const form = { ...contract, submit: () => submit(showAll) };
  const aside = <AsidePanel view={view} setView={setView} chosen={chosen} choose={setChosen} id={saved?.id} url={current?.url ?? null} />;
  const tryOut = (wanted: AsideView) => {
    setView(wanted);
    setIsAsideOpen(true);
  };
  const sections = [
    <BasicsSection key="basics" code={current} />,
    <TargetsSection
      key="targets"
      open={open}
      setOpen={setOpen}
      look={setChosen}
      tryOut={tryOut}
      refill={saved && allows('qr_code_list.refill') ? (target_id) => void refill.run({ id: saved.id, target_id }) : undefined}
    />,
  ];
  return (
    <LiveTargetsProvider value={live}>
      <ContractForm form={form} entersSend={isQuick}>
        <div className={isQuick ? 'lc-code-editor lc-code-quick' : 'lc-code-editor'}>
          <SectionIndex />
          <div className="lc-code-sections">
            {current?.frozen && <FrozenAlert className="lc-code-alert" what={current.frozen} row={current} />}
            {isOutdated && <OutdatedAlert reload={reload} />}
            {isQuick ? sections.toReversed() : sections}
            {isQuick && (
              <Button className="lc-code-show-all" icon={<DownOutlined />} aria-expanded={false} onClick={showAll}>
                {t('set_qr_code.more')}
              </Button>
            )}
            <DomainsSection code={current} />
            <LimitsSection />
            <PageSection code={current} />
            <RecordSection code={current} />
          </div>
          {isWide && <aside className="lc-code-aside">{aside}</aside>}
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
          preview={isWide ? null : () => tryOut('preview')}
        />
      </ContractForm>
    </LiveTargetsProvider>
  );
}

/** A link can be pasted into the form of a new code at once. */
function useFirstFocus(isQuick: boolean, form: ReturnType<typeof useLiveCodeForm>['contract']['form']) {
  useEffect(() => {
    if (isQuick) form.focusField(['targets', 0, 'content']);
  }, [isQuick, form]);
}

import { Button, Form, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HomeBlock, homePageConfig } from '../../../contract/content/home-page-config.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { ContractForm, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { Failure, Page, Time } from '../../kit/feedback.ts';
import { ScreenLoading } from '../../kit/shell/ScreenLoading.tsx';
import { BlockList } from './BlockList.tsx';
import { type BlockValues, blocksOf, valuesOf } from './blockValues.ts';
import { HomeBlocks } from './HomeBlocks.tsx';
import '../home.css';

type HomePageState = OutputOf<(typeof homePageConfig)['calls']['inquire']>;

/** The operator's blocks of everybody's start page, with what they will look like beside them. */
export function HomePageConfigPage() {
  const saved = useCall(
    api.home_page_config.inquire,
    {},
    // What is being edited must not change under the hands.
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, placeholderData: undefined },
  );
  if (!saved.data) {
    return (
      <Page title="menu.home_page_config">
        {saved.error ? (
          <section className="lc-panel">
            <Failure error={saved.error} retry={() => void saved.refetch()} isRetrying={saved.isFetching} />
          </section>
        ) : (
          <ScreenLoading />
        )}
      </Page>
    );
  }
  return <Editor initial={saved.data} reload={async () => (await saved.refetch()).data} />;
}

type EditorProps = { initial: HomePageState; reload: () => Promise<HomePageState | undefined> };

/** The form of the blocks, which of them is open, and the blocks as the form has them now. */
function useBlocksForm({ initial, reload }: EditorProps) {
  const confirm = useConfirm();
  const [saved, setSaved] = useState(initial);
  const [open, setOpen] = useState<string | null>(null);

  function take(state: HomePageState) {
    setSaved(state);
    contract.reset({ blocks: valuesOf(state.blocks) });
  }
  const contract = useContractForm(api.home_page_config.update, {
    initial: { blocks: valuesOf(initial.blocks) },
    success: 'home_page_config.saved',
    invalidates: ['home'],
    toInput: (values) => ({ version: saved.version, blocks: blocksOf((values.blocks ?? []) as BlockValues[]) }),
    onDone: take,
    onFailure(failure) {
      if (failure.code !== 'conflict.changed') return false;
      void confirm({
        title: 'home_page_config.changed',
        content: 'home_page_config.changed_content',
        confirm: 'home_page_config.reload',
      }).then(async (agreed) => {
        const state = agreed ? await reload() : undefined;
        if (state) take(state);
      });
      return true;
    },
  });
  /** A fault inside a closed block opens it. */
  async function submit() {
    if (await contract.submit()) return;
    const faulty = contract.form.getFieldsError().find((field) => field.errors.length > 0);
    if (faulty?.name[0] !== 'blocks') return;
    const present: BlockValues[] = contract.form.getFieldValue('blocks');
    setOpen(present[Number(faulty.name[1])]?.key ?? null);
    // Its fields can be scrolled to once they are seen.
    setTimeout(() => contract.form.scrollToField(faulty.name, { focus: true, block: 'center' }));
  }
  const edited = Form.useWatch(['blocks'], { form: contract.form, preserve: true }) as BlockValues[] | undefined;
  return { contract, saved, open, setOpen, submit, discard: () => take(saved), blocks: edited ? blocksOf(edited) : saved.blocks };
}

function Editor(props: EditorProps) {
  const { t } = useTranslation();
  const { contract, saved, open, setOpen, submit, discard, blocks } = useBlocksForm(props);
  return (
    <Page
      title="menu.home_page_config"
      help={
        <>
          {t('home_page_config.help')} <Time value={saved.updated_at} />
        </>
      }
      actions={
        <>
          {contract.isDirty && (
            <Button onClick={discard} disabled={contract.isRunning}>
              {t('common.discard')}
            </Button>
          )}
          <Allowed node="home_page_config.update">
            <Button type="primary" loading={contract.isRunning} onClick={() => void submit()}>
              {t('home_page_config.save')}
            </Button>
          </Allowed>
        </>
      }
    >
      <div className="lc-home-editor">
        <ContractForm form={contract}>
          <BlockList open={open} setOpen={setOpen} />
        </ContractForm>
        <Preview blocks={blocks} />
      </div>
    </Page>
  );
}

/** What a customer will see of the blocks, on a desktop or a phone. */
function Preview({ blocks }: { blocks: ReturnType<typeof blocksOf> }) {
  const { t } = useTranslation();
  const [width, setWidth] = useState<'desktop' | 'phone'>('desktop');
  const shown = blocks.filter((block): block is HomeBlock => block.enabled && !(block.kind === 'banner' && !block.rotation_type_id));
  return (
    <aside className="lc-home-preview" aria-label={t('common.preview')}>
      <div className="lc-home-preview-head">
        <h2 className="lc-home-preview-title">{t('common.preview')}</h2>
        <Segmented
          size="small"
          value={width}
          onChange={setWidth}
          options={[
            { value: 'desktop', label: t('home_page_config.desktop') },
            { value: 'phone', label: t('home_page_config.phone') },
          ]}
        />
      </div>
      {/* Links of the preview lead nowhere: an editor who tries one would lose what was written. */}
      <div className={width === 'phone' ? 'lc-home-preview-frame lc-home-preview-phone' : 'lc-home-preview-frame'} inert>
        {shown.length > 0 ? (
          <div className="lc-home-blocks">
            <HomeBlocks blocks={shown} isPreview />
          </div>
        ) : (
          <p className="lc-home-placeholder">{t('home.empty')}</p>
        )}
      </div>
    </aside>
  );
}

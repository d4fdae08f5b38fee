import { LinkOutlined } from '@ant-design/icons';
import { Button, type ModalProps, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode, LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { type QrDesign, toQrDesign } from '../../../qr/design.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Empty, Failure, useCopy } from '../../kit/feedback.ts';
import { useAskToDiscard, useDirtySource } from '../../kit/form/dirty.tsx';
import { QrImage } from '../../qr/QrImage.tsx';
import { DownloadBar } from './DownloadBar.tsx';
import { FrameControls } from './FrameControls.tsx';
import { LogoControls } from './LogoControls.tsx';
import { Presets } from './Presets.tsx';
import { SavedDesigns } from './SavedDesigns.tsx';
import { ScanVerdict, verdictOf } from './ScanVerdict.tsx';
import { ColorControls, ReliabilityControls, ShapeControls } from './StyleControls.tsx';
import { useScanCheck } from './useScanCheck.ts';
import './design.css';

const sameLook = (one: QrDesign, other: QrDesign) => JSON.stringify({ ...one, size: 0 }) === JSON.stringify({ ...other, size: 0 });

type QrDesignerProps = { code: LiveCode; onClose: () => void };

/** Draws the code's QR image to taste, checks after each change that it scans, and saves it as a file or as the code's design. */
export function QrDesigner({ code, onClose }: QrDesignerProps) {
  // A list's row has the design without its logo.
  const details = useCall(api.qr_code_list.details, { id: code.id }, { placeholderData: undefined });
  if (details.data) return <Designer code={code} details={details.data} onClose={onClose} />;
  return (
    <Frame name={code.name} footer={null} onCancel={onClose}>
      {details.isError ? (
        <Failure error={details.error} retry={() => void details.refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Frame>
  );
}

/** The dialog, while the design is awaited and when it is there. */
function Frame({ name, ...props }: { name: string } & ModalProps) {
  const { t } = useTranslation();
  return <Modal open title={t('qr_code_list.design.title', { name })} centered {...props} />;
}

function Designer({ code, details, onClose }: QrDesignerProps & { details: LiveCodeDetails }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { mayChange } = useSession();
  const confirm = useConfirm();
  const ask = useAskToDiscard();
  const [initial] = useState(() => toQrDesign(details.qr_design));
  const [design, setDesign] = useState(initial);
  const [size, setSize] = useState(initial.size);
  const isDirty = !sameLook(design, initial);
  const setDirty = useDirtySource();
  useEffect(() => setDirty(isDirty), [isDirty, setDirty]);
  const check = useScanCheck(code.url, design);
  const pictures = details.targets.flatMap((target) => target.picture_url ?? []);
  const save = useAction(api.qr_code_list.update, { success: 'qr_code_list.design.saved' });
  const maySave = allows('qr_code_list.update') && mayChange(code);

  const change = (part: Partial<QrDesign>) => setDesign((present) => ({ ...present, ...part }));
  async function close() {
    if (!save.isRunning && (!isDirty || !maySave || (await ask()))) onClose();
  }
  async function keep() {
    const isUnreadable = check.report !== undefined && verdictOf(check.report) === 'bad';
    const question = {
      title: 'qr_code_list.design.save_unreadable',
      content: 'qr_code_list.design.save_unreadable_content',
      confirm: 'qr_code_list.design.save',
      danger: true,
    };
    if (isUnreadable && !(await confirm(question))) return;
    if (await save.run({ id: code.id, qr_design: { ...toQrDesign(design), size } })) onClose();
  }

  const controls = { design, change };
  const footer = (
    <div className="lc-form-footer">
      <Button onClick={() => void close()}>{t('common.cancel')}</Button>
      <Button type="primary" loading={save.isRunning} disabled={!isDirty && size === initial.size} onClick={() => void keep()}>
        {t('qr_code_list.design.save')}
      </Button>
    </div>
  );
  return (
    <Frame name={code.name} onCancel={() => void close()} footer={code.url && maySave ? footer : null}>
      {code.url ? (
        <div className="lc-code-design">
          <Drawn
            url={code.url}
            imageLink={details.qr_image_url}
            name={code.name}
            design={design}
            size={size}
            setSize={setSize}
            check={check}
          />
          <div className="lc-code-design-controls">
            <Presets {...controls} text={code.url} />
            {maySave && <SavedDesigns {...controls} text={code.url} />}
            <ColorControls {...controls} />
            <ShapeControls {...controls} />
            <LogoControls {...controls} pictures={pictures} />
            <FrameControls {...controls} />
            <ReliabilityControls {...controls} />
          </div>
        </div>
      ) : (
        <Empty picture="road" title="qr_code_list.design.no_url" help="qr_code_list.design.no_url_help" />
      )}
    </Frame>
  );
}

type DrawnProps = {
  url: string;
  /** Where the saved design is drawn. */
  imageLink: string | null;
  name: string;
  design: QrDesign;
  size: number;
  setSize: (size: number) => void;
  check: ReturnType<typeof useScanCheck>;
};

/** The image as it would be saved, whether it scans, and the ways to save it. */
function Drawn({ url, imageLink, name, design, size, setSize, check }: DrawnProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <div className="lc-code-design-view">
      <div className={design.background === 'transparent' ? 'lc-code-design-image lc-code-design-clear' : 'lc-code-design-image'}>
        <QrImage text={url} alt={t('qr_code_list.qr_of', { name })} design={design} className="lc-code-design-drawn" />
      </div>
      <ScanVerdict check={check} />
      <Copyable value={url} maximum={44} />
      <Allowed node="qr_code_list.download">
        <DownloadBar text={url} design={design} name={name} size={size} setSize={setSize} />
      </Allowed>
      {imageLink && (
        <Button icon={<LinkOutlined />} onClick={() => void copy(imageLink)}>
          {t('qr_code_list.actions.copy_image_link')}
        </Button>
      )}
    </div>
  );
}

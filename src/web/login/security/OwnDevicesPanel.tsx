import { Button, Skeleton } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { maxOwnDevices, type ownDevices } from '../../../contract/visits/own-device.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { askWidth, Modal } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Copyable, Failure, Time } from '../../kit/feedback.ts';
import { useDialog } from '../../kit/useDialog.ts';
import { QrImage } from '../../qr/QrImage.tsx';

type OwnDevice = OutputOf<(typeof ownDevices)['calls']['inquire']>['content'][number];
type Dialog = { kind: 'add' } | { kind: 'rename'; device: OwnDevice } | { kind: 'link'; device: Pick<OwnDevice, 'id' | 'name'> };

const nameField = { kind: 'text', name: 'name', label: 'own_device.name', placeholder: 'own_device.name_placeholder' } as const;

/** The link that marks a device, to be opened by that device. */
function LinkDialog({ device: { id, name }, onClose }: { device: Pick<OwnDevice, 'id' | 'name'>; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(api.own_device.link, { id });
  return (
    <Modal open title={t('own_device.link_title', { name })} width={askWidth} centered footer={null} onCancel={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active title={false} />}
      {data && (
        <div className="lc-security-step">
          <p>{t('own_device.link_help')}</p>
          <div className="lc-security-key">
            <QrImage text={data.url} alt={t('own_device.qr')} width={240} />
            <Copyable value={data.url} maximum={32} />
          </div>
          <p className="lc-soft">
            {data.hosts.length > 1 ? t('own_device.link_hosts', { number: data.hosts.length }) : t('own_device.link_valid')}
          </p>
        </div>
      )}
    </Modal>
  );
}

/** Devices whose visits to the own codes count for nothing. */
export function OwnDevicesPanel() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const dialog = useDialog<Dialog>();
  const { data, error, refetch } = useCall(api.own_device.inquire, {});
  const remove = useAction(api.own_device.remove);

  async function askToRemove({ id, name }: OwnDevice) {
    const title = t('own_device.remove_title', { name });
    const question = { title, content: 'own_device.remove_content', confirm: 'common.remove', danger: true };
    if (await confirm(question)) await remove.run({ id }, { name });
  }

  if (!data && error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} />;
  const { present } = dialog;
  return (
    <>
      <ul className="lc-sessions">
        {data.content.map((device) => (
          <li key={device.id}>
            <div>
              <strong>{device.name}</strong>
              <p className="lc-soft lc-num">
                {device.seen_at ? (
                  <>
                    {t('own_device.seen')} <Time value={device.seen_at} />
                  </>
                ) : (
                  t('own_device.never')
                )}
              </p>
            </div>
            <div className="lc-security-acts">
              <Button type="text" onClick={() => void dialog.open({ kind: 'link', device })}>
                {t('own_device.link')}
              </Button>
              <Button type="text" onClick={() => void dialog.open({ kind: 'rename', device })}>
                {t('own_device.rename')}
              </Button>
              <Button type="text" danger onClick={() => void askToRemove(device)}>
                {t('common.remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {data.content.length < maxOwnDevices && <Button onClick={() => void dialog.open({ kind: 'add' })}>{t('own_device.add')}</Button>}
      {present?.kind === 'add' && <AddDialog onClose={dialog.close} onAdded={(device) => void dialog.open({ kind: 'link', device })} />}
      {present?.kind === 'rename' && (
        <FormModal
          action={api.own_device.update}
          title="own_device.rename_title"
          submit="common.save"
          asks
          initial={{ name: present.device.name }}
          toInput={(values) => ({ ...values, id: present.device.id })}
          fields={[nameField]}
          onClose={dialog.close}
        />
      )}
      {present?.kind === 'link' && <LinkDialog device={present.device} onClose={dialog.close} />}
    </>
  );
}

/** A device that was named is marked at once: its link follows when the form is gone. */
function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (device: Pick<OwnDevice, 'id' | 'name'>) => void }) {
  const added = useRef<Pick<OwnDevice, 'id' | 'name'>>(null);
  return (
    <FormModal
      action={api.own_device.add}
      title="own_device.add"
      submit="own_device.add"
      asks
      success={false}
      fields={[nameField]}
      toInput={(values) => {
        added.current = { id: 0, name: String(values.name ?? '').trim() };
        return values;
      }}
      onDone={({ id }) => {
        if (added.current) added.current.id = id;
      }}
      onClose={() => (added.current && added.current.id > 0 ? onAdded(added.current) : onClose())}
    />
  );
}

import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Alias } from '../../../contract/codes/alias.ts';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { api, type Endpoint } from '../../kit/calls/api.ts';
import { askWidth, Modal } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Copyable } from '../../kit/feedback.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { useQrDownload } from '../design/useQrDownload.ts';

type AliasFormProps = { code: LiveCodeDetails; alias: Alias | undefined; onClose: () => void };

/** A new alias, or what one is for: its key is printed by then. */
export function AliasForm({ code, alias, onClose }: AliasFormProps) {
  const { t } = useTranslation();
  return (
    <FormModal
      asks
      action={(alias ? api.qr_code_list.update_alias : api.qr_code_list.add_alias) as Endpoint<object, unknown>}
      title={alias ? t('qr_code.alias.edit', { key: alias.key }) : 'qr_code.alias.add'}
      submit={alias ? 'common.save' : 'qr_code.alias.add'}
      success={alias ? 'qr_code.alias.saved' : 'qr_code.alias.added'}
      initial={{ remark: alias?.remark ?? '' }}
      toInput={({ key, remark }) => ({
        id: code.id,
        remark: remark ?? '',
        ...(alias ? { alias_id: alias.id } : key ? { key } : {}),
      })}
      fields={[
        {
          kind: 'text',
          name: 'remark',
          label: 'qr_code_list.columns.remark',
          placeholder: 'qr_code.alias.remark_placeholder',
          required: false,
        },
        ...(alias
          ? []
          : [
              {
                kind: 'text' as const,
                name: 'key',
                label: 'qr_code_list.columns.file_name',
                placeholder: 'set_qr_code.file_name_placeholder',
                help: 'set_qr_code.file_name_help',
                required: false,
              },
            ]),
      ]}
      onClose={onClose}
    />
  );
}

/** The QR image of an alias in its code's design, to be copied and saved. */
export function AliasQr({ code, alias, onClose }: { code: LiveCodeDetails; alias: Alias; onClose: () => void }) {
  const { t } = useTranslation();
  const { download, isSaving } = useQrDownload();
  const { url, remark, key } = alias;
  if (url === null) return null;
  const name = `${code.name} ${remark || key}`;
  return (
    <Modal
      open
      title={remark || key}
      width={askWidth}
      onCancel={onClose}
      footer={
        <Button type="primary" icon={<DownloadOutlined />} loading={isSaving} onClick={() => void download({ id: code.id, name, url })}>
          {t('qr_code.download')}
        </Button>
      }
    >
      <div className="lc-code-links">
        <QrImage
          className="lc-code-qr-image"
          text={url}
          alt={t('qr_code_list.qr_of', { name })}
          design={toQrDesign(code.qr_design)}
          width={232}
        />
        <Copyable value={url} code />
      </div>
    </Modal>
  );
}

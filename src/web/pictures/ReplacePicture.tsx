import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadedFile } from '../../contract/content/file.ts';
import type { OwnPicture } from '../../contract/content/image-configs.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { PictureField } from '../kit/form/PictureField.tsx';
import './pictures.css';

/** Uploads a new picture and puts it in the place of an old one, on every target at once. */
export function ReplacePicture({ picture, onClose }: { picture: OwnPicture; onClose: () => void }) {
  const { t } = useTranslation();
  const [next, setNext] = useState<UploadedFile | null>(null);
  const replace = useAction(api.image_configs.replace, {
    success: 'image_configs.replaced',
    invalidates: ['qr_code_list'],
    onSuccess: onClose,
  });
  return (
    <Modal
      open
      title={t('image_configs.replace_title', { number: picture.used })}
      okText={t('image_configs.replace')}
      cancelText={t('common.cancel')}
      okButtonProps={{ disabled: next === null, loading: replace.isRunning }}
      onOk={() => next && void replace.run({ id: picture.id, file_id: next.id })}
      onCancel={onClose}
    >
      <p>{t('image_configs.replace_help')}</p>
      <div className="lc-picture-pair">
        <figure>
          <img src={picture.url} alt={t('image_configs.before')} />
          <figcaption className="lc-soft">{t('image_configs.before')}</figcaption>
        </figure>
        <PictureField label={t('image_configs.after')} pictureUrl={next?.url ?? null} onUploaded={setNext} />
      </div>
    </Modal>
  );
}

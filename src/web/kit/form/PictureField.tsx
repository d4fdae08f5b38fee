import { PictureOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadedFile } from '../../../contract/content/file.ts';
import { uploadFile } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';

type PictureFieldProps = {
  id?: string;
  /** Where the present picture is seen; null without one. */
  pictureUrl: string | null;
  onUploaded: (file: UploadedFile) => void;
  /** Takes the picture away; without it a picture can only be replaced. */
  onRemoved?: () => void;
  label: string;
};

type Upload = { share: number; abort: AbortController };

/** One picture: chosen, dropped or pasted, uploaded at once and shown. */
export function PictureField({ id, pictureUrl, onUploaded, onRemoved, label }: PictureFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [upload, setUpload] = useState<Upload | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isDropTarget, setIsDropTarget] = useState(false);

  async function send(file: File | undefined) {
    if (!file) return;
    setFailure(null);
    if (!file.type.startsWith('image/')) {
      setFailure(t('common.picture_field.not_a_picture'));
      return;
    }
    const abort = new AbortController();
    setUpload({ share: 0, abort });
    try {
      onUploaded(await uploadFile(file, { signal: abort.signal, onProgress: (share) => setUpload({ share, abort }) }));
    } catch (error) {
      if (!abort.signal.aborted) setFailure(failureText(error));
    } finally {
      setUpload(null);
    }
  }

  const act = t(pictureUrl ? 'common.picture_field.replace' : 'common.picture_field.choose');
  const drop = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsDropTarget(true);
    },
    onDragLeave: () => setIsDropTarget(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsDropTarget(false);
      void send(event.dataTransfer.files[0]);
    },
  };

  return (
    // Dropping and pasting are shortcuts of the button inside, which the keyboard reaches.
    <div
      className={isDropTarget ? 'lc-picture-field lc-picture-field-drop' : 'lc-picture-field'}
      {...drop}
      onPaste={(event) => {
        const pasted = [...event.clipboardData.files].find((file) => file.type.startsWith('image/'));
        if (!pasted) return;
        event.preventDefault();
        void send(pasted);
      }}
    >
      {pictureUrl ? (
        <img className="lc-picture-field-image" src={pictureUrl} alt={label} />
      ) : (
        <PictureOutlined className="lc-picture-field-empty" aria-hidden />
      )}
      <div className="lc-picture-field-side">
        <div className="lc-picture-field-acts">
          {/* The field's label would otherwise take the place of what the button does. */}
          <Button id={id} aria-label={`${label}: ${act}`} onClick={() => input.current?.click()} disabled={upload !== null}>
            {act}
          </Button>
          {pictureUrl && onRemoved && (
            <Button type="text" onClick={onRemoved} disabled={upload !== null}>
              {t('common.remove')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          style={{ display: 'none' }}
          onChange={(event) => {
            void send(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        {upload ? (
          <div className="lc-picture-field-progress">
            <Progress percent={Math.round(upload.share * 100)} size="small" />
            <Button type="link" size="small" onClick={() => upload.abort.abort()}>
              {t('common.cancel')}
            </Button>
          </div>
        ) : (
          <p className="lc-soft">{t('common.picture_field.help')}</p>
        )}
        {failure && (
          <p className="lc-picture-field-fault" role="alert">
            {failure}
          </p>
        )}
      </div>
    </div>
  );
}

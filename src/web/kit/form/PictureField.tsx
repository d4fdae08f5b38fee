import { PictureOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadedFile } from '../../../contract/content/file.ts';
import { uploadFile } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { FileInput } from './FileInput.tsx';

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

/** Uploads a picture, with its progress and what went wrong. */
function useUpload(onUploaded: (file: UploadedFile) => void) {
  const { t } = useTranslation();
  const [upload, setUpload] = useState<Upload | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

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
  return { upload, failure, send };
}

/** What makes an element take dropped and pasted pictures. */
function useDrop(send: (file: File | undefined) => Promise<void>) {
  const [isDropTarget, setIsDropTarget] = useState(false);
  const handlers = {
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
    onPaste(event: ClipboardEvent) {
      const pasted = [...event.clipboardData.files].find((file) => file.type.startsWith('image/'));
      if (!pasted) return;
      event.preventDefault();
      void send(pasted);
    },
  };
  return { isDropTarget, handlers };
}

/** One picture: chosen, dropped or pasted, uploaded at once and shown. */
export function PictureField({ id, pictureUrl, onUploaded, onRemoved, label }: PictureFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { upload, failure, send } = useUpload(onUploaded);
  const { isDropTarget, handlers } = useDrop(send);
  const act = t(pictureUrl ? 'common.picture_field.replace' : 'common.picture_field.choose');
  return (
    // Dropping and pasting are shortcuts of the button inside, which the keyboard reaches.
    <div className={isDropTarget ? 'lc-picture-field lc-picture-field-drop' : 'lc-picture-field'} {...handlers}>
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
        <FileInput ref={input} onChosen={([file]) => void send(file)} />
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

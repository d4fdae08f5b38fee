import { UploadOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadFile } from '../kit/calls/api.ts';
import { failureText } from '../kit/calls/failure.ts';
import { Allowed } from '../kit/calls/session.tsx';

/** Uploads pictures one after the other; what is wrong with one doesn't keep the others from coming. */
export function UploadButton() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState(0);

  async function send(files: readonly File[]) {
    let uploaded = 0;
    for (const [index, file] of files.entries()) {
      setLeft(files.length - index);
      try {
        await uploadFile(file);
        uploaded += 1;
      } catch (error) {
        void message.error(`${file.name}: ${failureText(error)}`);
      }
    }
    setLeft(0);
    if (uploaded > 0) void message.success(t('image_configs.uploaded', { number: uploaded }));
    await client.invalidateQueries({ queryKey: ['image_configs'] });
  }

  return (
    <Allowed node="image_configs.add">
      <Button type="primary" icon={<UploadOutlined />} loading={left > 0} onClick={() => input.current?.click()}>
        {left > 0 ? t('image_configs.uploading', { number: left }) : t('image_configs.upload')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        style={{ display: 'none' }}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          void send(files);
        }}
      />
    </Allowed>
  );
}

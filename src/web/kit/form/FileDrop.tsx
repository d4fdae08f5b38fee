import { InboxOutlined } from '@ant-design/icons';
import { Alert, Progress, Upload } from 'antd';
import { useState } from 'react';
import { failureText } from '../calls/failure.ts';

type FileDropProps = {
  /** Endings of names, as the file picker takes them. */
  accept: string;
  text: string;
  hint: string;
  /**
   * Does what is to be done with a file; one at a time.
   * @param onProgress takes the share that is uploaded, 0 to 1
   * @returns what is wrong with the file, in words
   */
  read: (file: Blob, onProgress: (share: number) => void) => Promise<string | undefined>;
};

/** A place to drop or choose a table on, with the progress of its upload, and above it what was wrong with the last one. */
export function FileDrop({ accept, text, hint, read }: FileDropProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const [fault, setFault] = useState<string>();

  async function take(file: Blob) {
    setFault(undefined);
    setIsBusy(true);
    setFault(await read(file, setShare).catch(failureText));
    setIsBusy(false);
    setShare(null);
  }
  return (
    <>
      {fault && <Alert type="error" showIcon title={fault} role="alert" />}
      <Upload.Dragger
        accept={accept}
        showUploadList={false}
        disabled={isBusy}
        beforeUpload={(file) => {
          void take(file);
          return false;
        }}
      >
        <p className="ant-upload-drag-icon">
          <InboxOutlined />
        </p>
        <p className="ant-upload-text">{text}</p>
        <p className="ant-upload-hint">{hint}</p>
        {share !== null && <Progress percent={Math.round(share * 95)} status="active" />}
      </Upload.Dragger>
    </>
  );
}

import { ApiOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageConfig, StorageTest, UploadType } from '../../../contract/system/image-config.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';

const asTyped = ['bucket', 'endpoint', 'region', 'save_path', 'access_key_id', 'access_key_secret', 'path_style'] as const;

/** Tries out what stands in the form, before it is saved. */
export function TestButton({ edited }: { edited?: ImageConfig }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const [result, setResult] = useState<StorageTest | null>(null);
  const test = useAction(api.image_config.test, { success: false });

  async function run() {
    setResult(null);
    const values = form.getFieldsValue(true) as Record<string, unknown>;
    const typed = Object.fromEntries(
      asTyped.flatMap((key) => (values[key] === undefined || values[key] === null ? [] : [[key, values[key]]])),
    );
    const subject = edited ? { id: edited.id } : { upload_type: values.upload_type as UploadType };
    setResult((await test.run({ ...typed, ...subject })) ?? null);
  }

  return (
    <div className="lc-storage-try">
      <Button icon={<ApiOutlined />} loading={test.isRunning} onClick={() => void run()}>
        {t('image_config.test')}
      </Button>
      <div role="status">{result && <TestAnswer result={result} />}</div>
    </div>
  );
}

/** What became of a test, with the storage's own words. */
export function TestAnswer({ result }: { result: StorageTest }) {
  const { t } = useTranslation();
  if (result.failed_step === null)
    return <Alert type="success" showIcon title={t('image_config.test_passed_in', { milliseconds: result.milliseconds })} />;
  return (
    <Alert
      type="error"
      showIcon
      title={t(`image_config.failed_${result.failed_step}`)}
      description={<span className="lc-code lc-storage-fault">{result.error}</span>}
    />
  );
}

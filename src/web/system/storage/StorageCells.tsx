import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ImageConfig, UploadType } from '../../../contract/system/image-config.ts';
import { Status, Time } from '../../kit/feedback.ts';

export const typeLabel = (type: UploadType): string => `image_config.type_${type}`;

export function StorageType({ type }: { type: UploadType }) {
  const { t } = useTranslation();
  return t(typeLabel(type));
}

/** The storage's name, marked where it takes the new uploads. */
export function StorageName({ row }: { row: ImageConfig }) {
  const { t } = useTranslation();
  return (
    <span className="lc-storage-name">
      {row.name}
      {row.active && <span className="lc-storage-active">{t('image_config.active')}</span>}
    </span>
  );
}

/** How the last test of what is saved went. */
export function TestResult({ row }: { row: ImageConfig }) {
  const { t } = useTranslation();
  if (row.tested_at === null) return <span className="lc-soft">{t('image_config.not_tested')}</span>;
  const result =
    row.test_error === null ? (
      <Status kind="success" label="image_config.test_passed" />
    ) : (
      <Tooltip title={row.test_error}>
        {/* The words of the fault can be reached by keyboard, too. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it opens the tooltip. */}
        <span tabIndex={0}>
          <Status kind="error" label="image_config.test_failed" />
        </span>
      </Tooltip>
    );
  return (
    <span className="lc-storage-test">
      {result}
      <Time value={row.tested_at} />
    </span>
  );
}

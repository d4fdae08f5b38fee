import { Alert } from 'antd';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Freezable } from '../../../contract/enums.ts';
import { Status } from '../feedback.ts';
import { translate } from '../texts/i18n.ts';

type Freezing = { frozen_at: string | null; frozen_reason: string };

/** What a list says of a row that an administrator froze, and why; null where he did not. */
export const frozenStatus = ({ frozen_at, frozen_reason }: Freezing): ComponentProps<typeof Status> | null =>
  frozen_at === null
    ? null
    : { kind: 'error', label: 'report_list.frozen', help: translate('report_list.frozen_because', { reason: frozen_reason }) };

/** The same as a mark. */
export function FrozenMark({ row }: { row: Freezing }) {
  const status = frozenStatus(row);
  return status && <Status {...status} />;
}

/** The same at the head of a page: what is frozen, why, and what that means to the owner. */
export function FrozenAlert({ what, row, className }: { what: Freezable; row: Freezing; className?: string }) {
  const { t } = useTranslation();
  if (row.frozen_at === null) return null;
  return (
    <Alert
      className={className}
      type="error"
      showIcon
      title={t(`report_list.frozen_title.${what}`)}
      description={t('report_list.frozen_help', { reason: row.frozen_reason })}
    />
  );
}

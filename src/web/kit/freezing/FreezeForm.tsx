import { useTranslation } from 'react-i18next';
import type { Freezable } from '../../../contract/enums.ts';
import { api } from '../calls/api.ts';
import type { GroupName } from '../calls/query.ts';
import { FormModal } from '../dialogs/FormModal.tsx';

type FreezeFormProps = {
  what: Freezable;
  ids: number[];
  title: string;
  invalidates: readonly GroupName[];
  onDone: () => void;
  onClose: () => void;
};

/** Asks why something is frozen, which its owner will read. */
export function FreezeForm({ what, ids, ...props }: FreezeFormProps) {
  const { t } = useTranslation();
  return (
    <FormModal
      {...props}
      action={api.report_list.freeze}
      submit="report_list.freeze"
      danger
      intro={t(`report_list.freeze_intro.${what}`)}
      toInput={(values) => ({ ...values, what, ids })}
      fields={[{ kind: 'text', name: 'reason', label: 'report_list.freeze_reason', help: 'report_list.freeze_reason_help' }]}
    />
  );
}

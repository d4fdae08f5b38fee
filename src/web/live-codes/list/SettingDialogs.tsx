import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { restrictionChoices } from '../choices.ts';
import type { SelectedCode } from './useDialogs.ts';

export type CodesDialogProps = {
  codes: readonly SelectedCode[] /** Told what was changed, so that it can be undone. */;
  onDone: (output: { change_id: string | null }) => void;
  onClose: () => void;
};

/** The value that all the codes share, or the fallback. */
const shared = <K extends keyof LiveCode>(codes: readonly SelectedCode[], key: K, fallback: LiveCode[K]): LiveCode[K] => {
  const [first] = codes;
  const value = first?.[key];
  return value !== undefined && codes.every((code) => code[key] === value) ? (value as LiveCode[K]) : fallback;
};

/** Says which codes a dialog is about. */
export function useCodesWords(codes: readonly SelectedCode[]): string {
  const { t } = useTranslation();
  const [first] = codes;
  return codes.length === 1 && first?.name !== undefined ? first.name : t('qr_code_list.codes', { count: codes.length });
}

export function RestrictionDialog({ codes, onDone, onClose }: CodesDialogProps) {
  return (
    <FormModal
      action={api.qr_code_list.update_restriction_visit}
      title="qr_code_list.actions.restriction"
      submit="qr_code_list.restriction_dialog.submit"
      intro={useCodesWords(codes)}
      initial={{ restriction_visit: shared(codes, 'restriction_visit', 1) }}
      fields={[
        {
          name: 'restriction_visit',
          label: 'qr_code_list.columns.restriction_visit',
          kind: 'radio',
          options: restrictionChoices,
          required: false,
        },
      ]}
      toInput={(values) => ({ ...values, ids: codes.map((code) => code.id) })}
      success={false}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const logChoices = [
  { value: true, label: 'qr_code_list.log.yes' },
  { value: false, label: 'qr_code_list.log.no' },
];

export function LogDialog({ codes, onDone, onClose }: CodesDialogProps) {
  return (
    <FormModal
      action={api.qr_code_list.update_open_log}
      title="qr_code_list.actions.log"
      submit="qr_code_list.log.submit"
      intro={useCodesWords(codes)}
      initial={{ open_log: shared(codes, 'open_log', true) }}
      fields={[
        {
          name: 'open_log',
          label: 'qr_code_list.columns.open_log',
          help: 'set_qr_code.open_log_help',
          kind: 'radio',
          options: logChoices,
          required: false,
        },
      ]}
      toInput={(values) => ({ ...values, ids: codes.map((code) => code.id) })}
      success={false}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

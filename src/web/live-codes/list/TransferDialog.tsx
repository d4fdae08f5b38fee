import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { userOptions } from './filters.ts';
import { type CodesDialogProps, useCodesWords } from './SettingDialogs.tsx';

const fields: FieldData[] = [
  { kind: 'remote', name: 'owner_id', label: 'qr_code_list.transfer.owner', source: userOptions, required: true },
  {
    kind: 'radio',
    name: 'domains',
    label: 'qr_code_list.transfer.domains',
    required: false,
    options: (['refuse', 'replace', 'take_off'] as const).map((value) => ({
      value,
      label: `qr_code_list.transfer.choice.${value}`,
      help: `qr_code_list.transfer.choice_help.${value}`,
    })),
  },
];

/** Gives codes to another user. */
export function TransferDialog({ codes, onDone, onClose }: CodesDialogProps) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={api.qr_code_list.transfer}
      title="qr_code_list.transfer.title"
      submit="qr_code_list.transfer.submit"
      intro={useCodesWords(codes)}
      success={false}
      initial={{ domains: 'refuse' }}
      fields={fields}
      toInput={(values) => ({ ...values, ids: codes.map((code) => code.id) })}
      invalidates={['group', 'domain_list']}
      onDone={onDone}
      onClose={onClose}
    >
      <p className="lc-soft">{t('qr_code_list.transfer.help')}</p>
    </FormModal>
  );
}

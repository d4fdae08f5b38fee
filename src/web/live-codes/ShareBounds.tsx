import { Button, Checkbox, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ShareSettings, shareFigures } from '../../contract/codes/share.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { ContractForm, Field, useContractForm } from '../kit/dialogs/FormModal.tsx';

/** Until when the share page answers, which days it counts and which figures it shows. */
export function ShareBounds({ id }: { id: number }) {
  const answer = useCall(api.qr_code_list.share_settings, { id });
  return answer.data ? <BoundsForm id={id} settings={answer.data} /> : <Skeleton active title={false} paragraph={{ rows: 3 }} />;
}

function BoundsForm({ id, settings }: { id: number; settings: ShareSettings }) {
  const { t } = useTranslation();
  const form = useContractForm(api.qr_code_list.update_share, {
    initial: settings,
    toInput: ({ expires_at, from, to, figures }) => ({
      id,
      expires_at: expires_at || null,
      from: from || null,
      to: to || null,
      figures: figures ?? [],
    }),
    success: 'qr_code_list.share.bounded',
  });
  const options = shareFigures.map((value) => ({ value, label: t(`qr_code_list.share.figures.${value}`) }));
  return (
    <ContractForm form={form}>
      <Field name="expires_at" label="qr_code_list.share.expires_at" help="qr_code_list.share.expires_at_help" kind="time" clearable />
      <div className="lc-code-share-days">
        <Field name="from" label="qr_code_list.share.from" help="qr_code_list.share.range_help" kind="day" clearable />
        <Field name="to" label="qr_code_list.share.to" kind="day" clearable />
      </div>
      <Field
        name="figures"
        label="qr_code_list.share.shown"
        kind="custom"
        render={({ id: group, value, onChange }) => (
          <Checkbox.Group
            {...(group === undefined ? {} : { id: group })}
            options={options}
            value={Array.isArray(value) ? value : []}
            onChange={(chosen) => onChange?.(chosen)}
          />
        )}
      />
      <Button loading={form.isRunning} onClick={() => void form.submit()}>
        {t('common.save')}
      </Button>
    </ContractForm>
  );
}

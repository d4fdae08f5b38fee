import { SearchOutlined } from '@ant-design/icons';
import { Alert, Button, DatePicker, Form } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maximumAddresses } from '../../../contract/visits/access-log.ts';
import { api } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { addressesOf, type DayRange, type Found, firstRange, isSelectable, ordered, timesOf, wrongLines } from './query.ts';

const dayFormat = 'YYYY-MM-DD';

type RangeProps = { id?: string; value?: DayRange | ''; onChange?: (range: DayRange) => void; onBlur?: () => void };

/** The first and the last day, in the site's time zone, of which only the latest can be chosen: two pickers, because two months fit on no phone. */
function RangeField({ id, value, onChange, onBlur }: RangeProps) {
  const { t } = useTranslation();
  const today = useFormat().today();
  const [from, to] = value || [null, null];
  const common = { className: 'lc-wide', disabledDate: (day: Dayjs) => !isSelectable(day.format(dayFormat), today), onBlur };
  const dayOf = (picked: Dayjs | null): string | null => picked?.format(dayFormat) ?? null;
  return (
    <div className="access-range">
      <DatePicker {...common} id={id} value={from ? dayjs(from) : null} onChange={(picked) => onChange?.(ordered(dayOf(picked), to))} />
      <span className="lc-soft">–</span>
      <DatePicker
        {...common}
        aria-label={t('common.range.to')}
        value={to ? dayjs(to) : null}
        onChange={(picked) => onChange?.(ordered(from, dayOf(picked)))}
      />
    </div>
  );
}

type QueryFormProps = { account: string; file_name: string; onFound: (found: Found | null) => void };

export function QueryForm({ account, file_name, onFound }: QueryFormProps) {
  const { t } = useTranslation();
  const { timeZone, today } = useFormat();
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  const form = useContractForm(api.qr_code_access.public_enquiry, {
    // The form's days and lines bear the names under which the contract finds fault with them.
    initial: { key: account, file_name, start_time: firstRange(today()), ip_list: '' },
    toInput: ({ key, file_name: suffix, start_time, ip_list }) => ({
      key,
      file_name: suffix,
      ip_list: addressesOf(String(ip_list ?? '')),
      ...timesOf((start_time || [null, null]) as DayRange, timeZone),
    }),
    isQuery: true,
    success: false,
    onDone: ({ content }) => onFound({ addresses: addressesOf(String(form.form.getFieldValue('ip_list'))), records: content }),
    onFailure(refused) {
      onFound(null);
      setFailure(failureText(refused));
      return true;
    },
  });
  const typed: unknown = Form.useWatch('ip_list', form.form);
  const wrong = wrongLines(String(typed ?? ''));

  return (
    <ContractForm form={form}>
      <Field name="key" label="access_log.key" help="access_log.key_help" kind="text" />
      <Field name="file_name" label="access_log.file_name" help="access_log.file_name_help" kind="text" code />
      <Field name="start_time" label="access_log.range" help="access_log.range_help">
        <RangeField />
      </Field>
      <Field
        name="ip_list"
        label="access_log.ips"
        help={t('access_log.ips_help', { maximum: maximumAddresses })}
        kind="textarea"
        rows={5}
        placeholder={'120.196.165.24\n114.114.114.114'}
        code
      />
      {isSent && wrong.length > 0 && <p className="access-wrong">{t('access_log.ips_wrong', { lines: wrong.slice(0, 10).join(', ') })}</p>}
      {failure !== null && <Alert className="access-failure" type="error" showIcon title={failure} role="alert" />}
      <Button
        type="primary"
        block
        icon={<SearchOutlined />}
        loading={form.isRunning}
        // Pressing it must not take the focus from a field: its fault would go, and the button move away from under the pointer.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          setFailure(null);
          setIsSent(true);
          void form.submit();
        }}
      >
        {t('access_log.submit')}
      </Button>
    </ContractForm>
  );
}

import { UploadOutlined } from '@ant-design/icons';
import { Alert, App, Button, Form, Upload } from 'antd';
import { useTranslation } from 'react-i18next';
import { checkedDays, maximumLines } from '../../../contract/visits/server-ip-black.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { Field } from '../../kit/form/Fields.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { useDebounced } from '../../kit/useDebounced.ts';
import type { AddedLines } from './BlockedLines.tsx';
import { addressesOf, linesOf } from './lines.ts';

const largestFile = 5_000_000;
const sample = ['203.0.113.8', '198.51.100.0/24', '2001:db8::/48'].join('\n');

/** Fills the text box from a list or CSV file, so that one sees what will be added. */
function ImportFile() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { form, onValuesChange } = useFormContext();

  async function take(file: File) {
    if (file.size > largestFile) return void message.error(t('server_ip_black.file_too_large'));
    const found = addressesOf(await file.text());
    if (found.length === 0) return void message.warning(t('server_ip_black.file_empty'));
    const lines = [...new Set([...linesOf(form.getFieldValue('lines')), ...found])];
    form.setFieldValue('lines', lines.slice(0, maximumLines).join('\n'));
    onValuesChange();
    if (lines.length > maximumLines) void message.warning(t('server_ip_black.file_cut', { number: maximumLines }));
    else void message.success(t('server_ip_black.file_read', { number: found.length }));
  }
  return (
    <Form.Item>
      <Upload
        accept=".txt,.csv,.list,.netset,.ipset,text/plain,text/csv"
        showUploadList={false}
        beforeUpload={(file) => {
          void take(file);
          return Upload.LIST_IGNORE;
        }}
      >
        <Button icon={<UploadOutlined />}>{t('server_ip_black.import')}</Button>
      </Upload>
    </Form.Item>
  );
}

/** Tells of wide networks among the lines how many of the latest visits they would have refused. */
function WideNetworks() {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const typed = useDebounced(Form.useWatch('lines'), 400);
  const lines = linesOf(typed).filter((line) => line.includes('/') && line.length <= 100);
  const { data } = useCall(
    api.server_ip_black.check,
    { lines: lines.slice(0, maximumLines) },
    { enabled: lines.length > 0, staleTime: 60_000 },
  );
  if (lines.length === 0 || !data || data.wide.length === 0) return null;
  const shown = [...data.wide].sort((a, b) => (b.visits ?? Number.MAX_VALUE) - (a.visits ?? Number.MAX_VALUE)).slice(0, 5);
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 16 }}
      title={t('server_ip_black.wide', { number: data.wide.length })}
      description={
        <>
          {shown.map(({ network, visits, addresses }) => (
            <div key={network}>
              <span className="lc-code">{network}</span>{' '}
              {visits === null
                ? t('server_ip_black.wide_unknown')
                : t('server_ip_black.wide_visits', { days: checkedDays, visits: exact(visits), addresses: exact(addresses ?? 0) })}
            </div>
          ))}
          {data.wide.length > shown.length && <div>{t('server_ip_black.wide_more', { number: data.wide.length - shown.length })}</div>}
        </>
      }
    />
  );
}

/** Adds many addresses and networks to the list of those that visits are refused from. */
export function AddBlocked({ onDone, onClose }: { onDone: (added: AddedLines) => void; onClose: () => void }) {
  return (
    <FormModal
      action={api.server_ip_black.add}
      title="server_ip_black.add"
      submit="server_ip_black.add_submit"
      success={false}
      // No line at all is a field that wasn't filled in.
      toInput={(values) => ({ ...values, lines: linesOf(values.lines).length > 0 ? linesOf(values.lines) : null })}
      invalidates={['visitor']}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        kind="textarea"
        name="lines"
        label="server_ip_black.network"
        help="server_ip_black.lines_help"
        placeholder={sample}
        rows={6}
        code
        required
      />
      <ImportFile />
      <WideNetworks />
      <Field
        kind="time"
        name="expires_at"
        label="server_ip_black.expires_at"
        help="server_ip_black.expires_help"
        placeholder="server_ip_black.for_ever"
      />
      <Field kind="text" name="remark" label="server_ip_black.remark" />
    </FormModal>
  );
}

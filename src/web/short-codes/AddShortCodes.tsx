import { Alert, Form } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { MadeLink } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { Field, type FieldData, Fields, FormModal } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import type { ControlProps } from '../kit/form/controls.tsx';
import { CodesSelect } from './CodesSelect.tsx';
import { MeansSelect } from './MeansSelect.tsx';
import { type KnownCodes, linesOf, meansFields, meansInput, useMeans } from './means.ts';

type Values = Record<string, unknown>;
type Output = { added: number; results: MadeLink[] };

const exampleLines = ['https://example.com/a', 'https://example.com/b'].join('\n');

const isForCodes = (values: Values) => values.what !== 'urls';
const isSingle = (values: Values) =>
  (isForCodes(values) ? ((values.live_code_ids as number[] | undefined) ?? []).length : linesOf(values.urls).length) <= 1;

/** The same wish keeps its key, so that sending it again after a broken answer makes nothing twice. */
function useRequestKey() {
  const last = useRef<{ wish: string; key: string } | null>(null);
  return (wish: object): string => {
    const text = JSON.stringify(wish);
    if (last.current?.wish !== text) last.current = { wish: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}

function AddFields({ known }: { known: KnownCodes }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const { isNowhere } = useMeans();
  const means = Form.useWatch('means', form) as string | undefined;
  const fields: FieldData[] = [
    {
      kind: 'radio',
      name: 'what',
      label: 'short_code.destination',
      options: [
        { value: 'codes', label: 'short_code.codes' },
        { value: 'urls', label: 'short_code.urls' },
      ],
    },
    {
      kind: 'custom',
      name: 'live_code_ids',
      label: 'short_code.codes',
      required: true,
      visible: isForCodes,
      render: (props) => <CodesSelect {...(props as ControlProps<number[]>)} known={known} />,
    },
    {
      kind: 'textarea',
      name: 'urls',
      label: 'short_code.urls',
      help: 'short_code.urls_help',
      placeholder: exampleLines,
      rows: 4,
      code: true,
      required: true,
      visible: (values) => !isForCodes(values),
    },
  ];
  const isOwn = !String(means ?? '').startsWith('platform:');
  return (
    <>
      {isNowhere && (
        <Alert
          className="lc-short-notice"
          type="warning"
          showIcon
          title={t('short_code.nowhere')}
          description={t('short_code.nowhere_help')}
        />
      )}
      <Fields fields={fields} />
      <Field name="means" label="short_code.means" help="short_code.means_help">
        <MeansSelect />
      </Field>
      <Fields
        fields={[
          {
            kind: 'text',
            name: 'short',
            label: 'short_code.short',
            help: 'short_code.short_help',
            code: true,
            visible: (values) => isOwn && isSingle(values),
          },
          { kind: 'time', name: 'expires_at', label: 'short_code.expires_at', placeholder: 'short_code.never' },
          { kind: 'text', name: 'remark', label: 'short_code.remark' },
        ]}
      />
    </>
  );
}

type Props = { known: KnownCodes; onDone: (output: Output) => void; onClose: () => void };

/** One link or many: of live codes or pasted addresses, on a short domain or by a platform. */
export function AddShortCodes({ known, onDone, onClose }: Props) {
  const keyFor = useRequestKey();
  const toInput = ({ what, live_code_ids, urls, means, short, expires_at, remark }: Values): Values => {
    // Nothing chosen at all is a field that wasn't filled in.
    const filled = (list: unknown) => (Array.isArray(list) && list.length > 0 ? list : null);
    const wish = {
      ...(what === 'urls' ? { urls: filled(linesOf(urls)) } : { live_code_ids: filled(live_code_ids) }),
      ...meansInput(means),
      ...(short && isSingle({ what, live_code_ids, urls }) && !String(means ?? '').startsWith('platform:') ? { short } : {}),
      ...(expires_at ? { expires_at } : {}),
      ...(remark ? { remark } : {}),
    };
    return { ...wish, request_key: keyFor(wish) };
  };
  return (
    <FormModal
      action={api.short_code.add}
      title="menu.add_short_code"
      submit="menu.button.generate"
      success={false}
      initial={{ what: 'codes', means: '', live_code_ids: known.map(({ value }) => Number(value)) }}
      fieldOf={meansFields}
      toInput={toInput}
      onDone={onDone}
      onClose={onClose}
    >
      <AddFields known={known} />
    </FormModal>
  );
}

import type { ShortCode } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { Field, type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { codeOptions } from './CodesSelect.tsx';
import { MeansSelect } from './MeansSelect.tsx';
import { meansFields, meansInput } from './means.ts';
import { RegenerateWarning } from './RegenerateWarning.tsx';

type Values = Record<string, unknown>;

/** Where the link leads, until when, and what one remarks of it. */
export function EditShortCode({ row, onClose }: { row: ShortCode; onClose: () => void }) {
  const isForCode = (values: Values) => values.what === 'codes';
  const known = row.live_code_id === null ? [] : [{ value: row.live_code_id, label: `${row.live_code_name} (${row.live_code_file_name})` }];
  const destination: FieldData[] = row.counted
    ? [
        {
          kind: 'radio',
          name: 'what',
          label: 'short_code.destination',
          options: [
            { value: 'codes', label: 'common.field.live_code' },
            { value: 'urls', label: 'short_code.url' },
          ],
        },
        {
          kind: 'remote',
          name: 'live_code_id',
          label: 'common.field.live_code',
          source: codeOptions,
          known,
          clearable: false,
          required: true,
          visible: isForCode,
        },
        { kind: 'text', name: 'url', label: 'short_code.url', code: true, required: true, visible: (values) => !isForCode(values) },
      ]
    : [];
  return (
    <FormModal
      action={api.short_code.update}
      title="short_code.edit"
      submit="common.save"
      intro={row.short_url}
      initial={{
        what: row.live_code_id === null ? 'urls' : 'codes',
        live_code_id: row.live_code_id,
        url: row.url,
        expires_at: row.expires_at,
        remark: row.remark,
      }}
      toInput={({ what, live_code_id, url, expires_at, remark }) => ({
        id: row.id,
        ...(row.counted ? (what === 'codes' ? { live_code_id } : { url: url ?? '' }) : {}),
        expires_at: expires_at ?? null,
        remark: remark ?? '',
      })}
      fields={[
        ...destination,
        { kind: 'time', name: 'expires_at', label: 'short_code.expires_at', placeholder: 'short_code.never' },
        { kind: 'text', name: 'remark', label: 'short_code.remark' },
      ]}
      onClose={onClose}
    />
  );
}

/** A new address for a link, by the same means or others; what becomes of the old one stands above. */
export function RegenerateShortCode({ row, onDone, onClose }: { row: ShortCode; onDone: (after: ShortCode) => void; onClose: () => void }) {
  const before = row.platform_id === null ? `domain:${row.domain_id}` : `platform:${row.platform_id}`;
  return (
    <FormModal
      action={api.short_code.regenerate}
      title="short_code.regenerate"
      submit="menu.button.regenerate"
      success={false}
      intro={<RegenerateWarning link={row.short_url} isOwn={row.counted && row.platform_type !== 12} />}
      initial={{ means: before }}
      fieldOf={meansFields}
      toInput={({ means, short }) => ({
        id: row.id,
        short_url: row.short_url,
        ...(means === before ? {} : means === '' ? { domain_id: null } : meansInput(means)),
        ...(short ? { short } : {}),
      })}
      onDone={onDone}
      onClose={onClose}
    >
      <Field name="means" label="short_code.means">
        <MeansSelect owner_id={row.owner_id} present={{ value: before, name: row.platform_name ?? row.host_unicode ?? row.host ?? '' }} />
      </Field>
      <Field kind="text" name="short" label="short_code.short" help="short_code.short_help" />
    </FormModal>
  );
}

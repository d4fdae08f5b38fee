import { useTranslation } from 'react-i18next';
import type { DocumentDetails } from '../../contract/content/document-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Field, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure } from '../kit/feedback.ts';
import { UploadControl } from '../kit/form/UploadControl.tsx';
import { remoteOptions } from '../kit/options.ts';
import { RichTextField } from '../kit/rich-text/RichTextField.tsx';

export const typeOptions = remoteOptions(
  api.document_type.options,
  (search) => ({ search }),
  (type) => ({ value: type.id, label: type.name }),
);

type DocumentDrawerProps = { id: number | 'new'; firstType: number | undefined; onClose: () => void };

/** Writes a new document, or changes one after its text was loaded. */
export function DocumentDrawer({ id, firstType, onClose }: DocumentDrawerProps) {
  if (id !== 'new') return <LoadedDrawer id={id} onClose={onClose} />;
  return (
    <FormModal
      action={api.document_list.add}
      title="document_list.add"
      submit="document_list.add"
      initial={{ enabled: true, type_id: firstType, body: '' }}
      invalidates={['document_type']}
      onClose={onClose}
    >
      <DocumentFields />
    </FormModal>
  );
}

function LoadedDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  // The text that is edited must not change under the cursor when another user saves.
  const { data, error, refetch, isFetching } = useCall(
    api.document_list.details,
    { id },
    { placeholderData: undefined, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  if (!data) {
    return (
      <Drawer open title={t('document_list.edit')} size={1280} onClose={onClose} loading={!error}>
        {error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      </Drawer>
    );
  }
  const { type_id, title, cover_id, body, sort, enabled } = data;
  return (
    <FormModal
      action={api.document_list.update}
      title="document_list.edit"
      submit="common.save"
      initial={{ type_id, title, cover_id, body, sort, enabled }}
      toInput={(values) => ({ ...values, id })}
      invalidates={['document_type']}
      onClose={onClose}
    >
      <DocumentFields document={data} />
    </FormModal>
  );
}

function DocumentFields({ document }: { document?: DocumentDetails }) {
  const { t } = useTranslation();
  const known = document?.cover_id && document.cover_url ? { id: document.cover_id, url: document.cover_url } : null;
  return (
    <div className="lc-content-columns">
      <div>
        <Field kind="text" name="title" label="content.title" />
        <Field name="body" label="content.body">
          <RichTextField label="content.body" placeholder="content.body_placeholder" height={420} />
        </Field>
      </div>
      <div>
        <Field
          kind="remote"
          name="type_id"
          label="content.type"
          source={typeOptions}
          clearable={false}
          known={document ? [{ value: document.type_id, label: document.type_name }] : []}
        />
        <Field name="cover_id" label="content.cover" help="content.cover_help">
          <UploadControl known={known} label={t('content.cover')} removable />
        </Field>
        <Field kind="number" name="sort" label="content.sort" help="common.field.sort_help" minimum={0} />
        <Field kind="switch" name="enabled" label="content.published" help="content.published_help" />
      </div>
    </div>
  );
}

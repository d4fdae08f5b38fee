import { useTranslation } from 'react-i18next';
import type { Picture } from '../../contract/content/rotation.ts';
import { linkJumpType } from '../../contract/links/jump.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useCrud } from '../kit/crud/useCrud.tsx';
import { Field } from '../kit/dialogs/FormModal.tsx';
import { JumpFields } from '../kit/form/JumpFields.tsx';
import { UploadControl } from '../kit/form/UploadControl.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { pictureColumns } from './rotation.columns.tsx';
import { withoutTypes } from './withoutTypes.tsx';
import './content.css';

const typeOptions = remoteOptions(
  api.rotation_type.options,
  (search) => ({ search }),
  (type) => ({ value: type.id, label: type.name }),
);

const filters: Filter<'search' | 'type_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'common.field.title', placeholder: 'content.picture_search' },
  { kind: 'remote', key: 'type_id', label: 'content.type', source: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.shown', no: 'content.hidden' },
];

function initialOf(picture: Picture | undefined, firstType: number | undefined) {
  if (!picture) return { enabled: true, jump_type: linkJumpType.router, type_id: firstType };
  const { type_id, file_id, title, description, jump_type, jump_address, sort, remark, enabled } = picture;
  return { type_id, file_id, title, description, jump_type, jump_address, sort, remark, enabled };
}

/** Pictures shown in turn: add, change, rank, show or hide, remove. */
export function RotationPage() {
  const types = useCall(api.rotation_type.options, {}).data?.content;
  const { list, dialogs, saveRank } = useCrud<Picture>(api.rotation, {
    initialOf: (picture) => initialOf(picture, types?.[0]?.id),
    form: (picture) => ({ children: <PictureFields picture={picture} /> }),
    name: ({ title }) => title,
    invalidates: ['rotation_type'],
  });
  return (
    <>
      <ListPage
        list={api.rotation.inquire}
        columns={pictureColumns(saveRank)}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        {...(types?.length === 0 ? withoutTypes('rotation_type', list) : {})}
      />
      {dialogs}
    </>
  );
}

function PictureFields({ picture }: { picture: Picture | undefined }) {
  const { t } = useTranslation();
  const known = picture ? { id: picture.file_id, url: picture.picture_url } : null;
  return (
    <>
      <Field name="file_id" label="common.field.picture" help="content.picture_help">
        <UploadControl known={known} label={picture?.title ?? t('common.field.picture')} />
      </Field>
      <Field
        kind="remote"
        name="type_id"
        label="content.type"
        source={typeOptions}
        clearable={false}
        known={picture ? [{ value: picture.type_id, label: picture.type_name }] : []}
      />
      <Field kind="text" name="title" label="content.title" />
      <Field kind="textarea" name="description" label="rotation.description" rows={2} />
      <JumpFields />
      <Field kind="number" name="sort" label="content.sort" help="common.field.sort_help" minimum={0} />
      <Field kind="text" name="remark" label="content.remark" help="content.remark_help" />
      <Field kind="switch" name="enabled" label="common.shown" />
    </>
  );
}

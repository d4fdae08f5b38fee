import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Picture } from '../../contract/content/rotation.ts';
import { linkJumpType } from '../../contract/links/jump.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { Field, FormDrawer } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { UploadControl } from '../kit/form/UploadControl.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { JumpFields } from './JumpFields.tsx';
import { pictureColumns } from './rotation.columns.tsx';
import './content.css';

const typeOptions = remoteOptions(
  api.rotation_type.options,
  (search) => ({ search }),
  (type) => ({ value: type.id, label: type.name }),
);

const filters: Filter<'search' | 'type_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'content.title', placeholder: 'content.picture_search' },
  { kind: 'remote', key: 'type_id', label: 'content.type', source: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'content.state', yes: 'content.shown', no: 'content.hidden' },
];

/** Pictures shown in turn: add, change, rank, show or hide, remove. */
export function RotationPage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Picture | 'new' | null>(null);
  const types = useCall(api.rotation_type.options, {});
  const { run: saveRank } = useAction(api.rotation.update_sort);
  const enable = useAction(api.rotation.update_enabled);
  const columns = useMemo(() => pictureColumns((id, sort) => saveRank({ id, sort })), [saveRank]);
  const removal = useRemoval<Picture, unknown>(api.rotation.remove, {
    node: 'rotation.remove',
    title: 'content.remove_picture',
    many: 'content.remove_pictures',
    content: 'content.remove_picture_content',
    name: ({ title }) => ({ name: title }),
    invalidates: ['rotation_type'],
  });
  const setEnabled = async (rows: readonly Picture[], enabled: boolean) =>
    (await enable.run({ ids: rows.map(({ id }) => id), enabled })) !== undefined;

  const lacksTypes = types.data?.content.length === 0;
  const addButton = lacksTypes ? (
    <Allowed node="rotation_type.add">
      <Link to="/system/rotation_type">
        <Button type="primary">{t('content.add_type_first')}</Button>
      </Link>
    </Allowed>
  ) : (
    <AddButton node="rotation.add" label="content.add_picture" onClick={() => setEdited('new')} />
  );
  return (
    <>
      <ListPage
        title="menu.rotation"
        list={api.rotation.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName="menu.rotation"
        actions={addButton}
        empty={{
          title: 'content.no_pictures',
          help: lacksTypes ? 'content.no_types_help' : 'content.no_pictures_help',
          action: addButton,
        }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'rotation.update', onClick: setEdited },
          {
            key: 'enabled',
            label: (row) => (row.enabled ? 'content.hide' : 'content.show'),
            node: 'rotation.update',
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          { key: 'top', label: 'content.to_top', node: 'rotation.update', onClick: (row) => void saveRank({ id: row.id, sort: null }) },
          removal.row,
        ]}
        batchActions={[
          { key: 'show', label: 'content.show', node: 'rotation.update', onClick: (rows) => setEnabled(rows, true) },
          { key: 'hide', label: 'content.hide', node: 'rotation.update', onClick: (rows) => setEnabled(rows, false) },
          removal.batch,
        ]}
      />
      {edited === 'new' && (
        <FormDrawer
          action={api.rotation.add}
          title="content.add_picture"
          submit="content.add_picture"
          initial={{ enabled: true, jump_type: linkJumpType.router, type_id: types.data?.content[0]?.id }}
          invalidates={['rotation_type']}
          onClose={() => setEdited(null)}
        >
          <PictureFields />
        </FormDrawer>
      )}
      {edited !== null && edited !== 'new' && <PictureDrawer picture={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function PictureDrawer({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const { type_id, file_id, title, description, jump_type, jump_address, sort, remark, enabled } = picture;
  return (
    <FormDrawer
      action={api.rotation.update}
      title="content.edit_picture"
      submit="common.save"
      initial={{ type_id, file_id, title, description, jump_type, jump_address, sort, remark, enabled }}
      toInput={(values) => ({ ...values, id: picture.id })}
      invalidates={['rotation_type']}
      onClose={onClose}
    >
      <PictureFields picture={picture} />
    </FormDrawer>
  );
}

function PictureFields({ picture }: { picture?: Picture }) {
  const { t } = useTranslation();
  const known = picture ? { id: picture.file_id, url: picture.picture_url } : null;
  return (
    <>
      <Field name="file_id" label="content.picture" help="content.picture_help">
        <UploadControl known={known} label={picture?.title ?? t('content.picture')} />
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
      <Field kind="textarea" name="description" label="content.description" rows={2} />
      <JumpFields />
      <Field kind="number" name="sort" label="content.sort" help="content.sort_help" minimum={0} />
      <Field kind="text" name="remark" label="content.remark" help="content.remark_help" />
      <Field kind="switch" name="enabled" label="content.shown" />
    </>
  );
}

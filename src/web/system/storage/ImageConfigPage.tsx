import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageConfig } from '../../../contract/system/image-config.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { FormDrawer } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { columns, filters, storageFields } from './storage.fields.tsx';
import { TestAnswer, TestButton } from './TestButton.tsx';
import './storage.css';

/** Storages of uploads: add, try out, choose which one takes the new ones. */
export function ImageConfigPage() {
  const { t } = useTranslation();
  const { modal, message } = App.useApp();
  const confirm = useConfirm();
  const [edited, setEdited] = useState<ImageConfig | 'new' | null>(null);
  const test = useAction(api.image_config.test, { success: false });
  const choose = useAction(api.image_config.choose, { success: 'image_config.chosen' });
  const enable = useAction(api.image_config.update_enabled);
  const removal = useRemoval<ImageConfig, unknown>(api.image_config.remove, {
    node: 'image_config.remove',
    title: 'image_config.remove_title',
    many: 'image_config.remove_many_title',
    content: 'image_config.remove_content',
    name: ({ name }) => ({ name }),
    visible: (row) => row.upload_type !== 'local' && !row.active && row.file_count === 0,
  });

  async function tryOut(row: ImageConfig) {
    const close = message.loading(t('image_config.testing', { name: row.name }), 0);
    const result = await test.run({ id: row.id });
    close();
    if (!result) return;
    if (result.failed_step === null) void message.success(t('image_config.test_passed_in', { milliseconds: result.milliseconds }));
    else
      modal.error({
        title: t('image_config.test_of', { name: row.name }),
        content: <TestAnswer result={result} />,
        icon: null,
        width: 560,
      });
  }

  const askToChoose = (row: ImageConfig) =>
    confirm({
      title: t('image_config.choose_title', { name: row.name }),
      content: 'image_config.choose_content',
      confirm: 'image_config.choose',
      run: () => choose.run({ id: row.id }),
    });

  const addButton = <AddButton node="image_config.add" label="image_config.add" onClick={() => setEdited('new')} />;
  return (
    <>
      <ListPage
        title="menu.image_config"
        help={t('image_config.help')}
        list={api.image_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'asc' }}
        exportName="menu.image_config"
        actions={addButton}
        empty={{ title: 'image_config.empty', help: 'image_config.empty_help', action: addButton }}
        rowActions={[
          { key: 'test', label: 'image_config.test', node: 'image_config.test', onClick: (row) => void tryOut(row) },
          {
            key: 'choose',
            label: 'image_config.choose',
            node: 'image_config.choose',
            visible: (row) => !row.active && row.enabled,
            onClick: (row) => void askToChoose(row),
          },
          { key: 'update', label: 'common.edit', node: 'image_config.update', onClick: setEdited },
          {
            key: 'enable',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'image_config.update',
            visible: (row) => !row.active,
            onClick: (row) => void enable.run({ ids: [row.id], enabled: !row.enabled }),
          },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {edited === 'new' && (
        <FormDrawer
          action={api.image_config.add}
          title="image_config.add"
          submit="image_config.add"
          size="medium"
          initial={{ upload_type: 's3', path_style: false }}
          fields={storageFields()}
          toInput={withoutNulls}
          onClose={() => setEdited(null)}
        >
          <Allowed node="image_config.test">
            <TestButton />
          </Allowed>
        </FormDrawer>
      )}
      {edited !== null && edited !== 'new' && (
        <FormDrawer
          action={api.image_config.update}
          title="image_config.edit"
          submit="common.save"
          size="medium"
          initial={initialOf(edited)}
          fields={storageFields(edited)}
          toInput={(values) => ({ ...withEmptied(values), id: edited.id })}
          onClose={() => setEdited(null)}
        >
          {edited.upload_type !== 'local' && (
            <Allowed node="image_config.test">
              <TestButton edited={edited} />
            </Allowed>
          )}
        </FormDrawer>
      )}
    </>
  );
}

type Values = Record<string, unknown>;

const withoutNulls = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** An emptied field is an empty text to the storages; only the secret knows "as it was". */
const withEmptied = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === null && key !== 'access_key_secret' ? '' : value]));

function initialOf({ upload_type, name, bucket, region, endpoint, access_key_id, save_path, domain, path_style }: ImageConfig): Values {
  return upload_type === 'local' ? { name } : { name, bucket, region, endpoint, access_key_id, save_path, domain, path_style };
}

import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ImageConfig } from '../../../contract/system/image-config.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useCrud } from '../../kit/crud/useCrud.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { columns, filters, storageFields } from './storage.fields.tsx';
import { TestAnswer, TestButton } from './TestButton.tsx';
import './storage.css';

/** Storages of uploads: add, try out, choose which one takes the new ones. */
export function ImageConfigPage() {
  const { t } = useTranslation();
  const { modal, message } = App.useApp();
  const confirm = useConfirm();
  const { list, acts, dialogs } = useCrud<ImageConfig>(api.image_config, {
    fields: storageFields,
    initialOf,
    form: (storage) => ({
      toInput: storage ? withEmptied : withoutNulls,
      children: storage?.upload_type !== 'local' && (
        <Allowed node="image_config.test">
          <TestButton edited={storage} />
        </Allowed>
      ),
    }),
    name: ({ name }) => name,
  });
  const test = useAction(api.image_config.test, { success: false });
  const choose = useAction(api.image_config.choose, { success: 'image_config.chosen' });

  async function tryOut(row: ImageConfig) {
    const close = message.loading(t('image_config.testing', { name: row.name }), 0);
    const result = await test.run({ id: row.id });
    close();
    if (!result) return;
    if (result.failed_step === null) void message.success(t('image_config.test_passed_in', { milliseconds: result.milliseconds }));
    else
      modal.error({
        title: t('common.test_of', { name: row.name }),
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

  const isRemovable = (row: ImageConfig) => row.upload_type !== 'local' && !row.active && row.file_count === 0;
  return (
    <>
      <ListPage
        help={t('image_config.help')}
        list={api.image_config.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'asc' }}
        {...list}
        rowActions={[
          { key: 'test', label: 'image_config.test', node: 'image_config.test', onClick: (row) => void tryOut(row) },
          {
            key: 'choose',
            label: 'image_config.choose',
            node: 'image_config.choose',
            visible: (row) => !row.active && row.enabled,
            onClick: (row) => void askToChoose(row),
          },
          acts.update,
          { ...acts.enabled, visible: (row) => !row.active },
          { ...acts.remove, visible: isRemovable },
        ]}
        batchActions={list.batchActions.filter(({ key }) => key === 'remove')}
      />
      {dialogs}
    </>
  );
}

type Values = Record<string, unknown>;

const withoutNulls = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** An emptied field is an empty text to the storages; only the secret knows "as it was". */
const withEmptied = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === null && key !== 'access_key_secret' ? '' : value]));

function initialOf(storage: ImageConfig | undefined): Values {
  if (!storage) return { upload_type: 's3', path_style: false };
  const { upload_type, name, bucket, region, endpoint, access_key_id, save_path, domain, path_style } = storage;
  return upload_type === 'local' ? { name } : { name, bucket, region, endpoint, access_key_id, save_path, domain, path_style };
}

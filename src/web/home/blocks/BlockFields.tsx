import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { maxLinks } from '../../../contract/content/home-page-config.ts';
import { api } from '../../kit/calls/api.ts';
import { Field } from '../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { JumpFields } from '../../kit/form/JumpFields.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { RichTextField } from '../../kit/rich-text/RichTextField.tsx';
import { type BlockValues, newLink } from './blockValues.ts';

const typeOptions = remoteOptions(
  api.rotation_type.options,
  (search) => ({ search }),
  (type) => ({ value: type.id, label: type.name }),
);

/** The fields of a block, by its kind. */
export function BlockFields({ block, index }: { block: BlockValues; index: number }) {
  const at = `blocks.${index}`;
  switch (block.kind) {
    case 'announcement':
      return (
        <>
          <Title index={index} />
          <Field name={[index, 'body']} path={`${at}.body`} label="home_page_config.body" required={false}>
            <RichTextField label="home_page_config.body" placeholder="home_page_config.body_placeholder" height={160} />
          </Field>
        </>
      );
    case 'banner':
      return (
        <Field
          kind="remote"
          name={[index, 'rotation_type_id']}
          path={`${at}.rotation_type_id`}
          label="home_page_config.rotation_type"
          help="home_page_config.rotation_type_help"
          required
          source={typeOptions}
          clearable={false}
        />
      );
    case 'links':
      return (
        <>
          <Title index={index} />
          <Links index={index} />
        </>
      );
  }
}

function Title({ index }: { index: number }) {
  return <Field kind="text" name={[index, 'title']} path={`blocks.${index}.title`} label="home_page_config.title" />;
}

function Links({ index }: { index: number }) {
  const { t } = useTranslation();
  const { onValuesChange } = useFormContext();
  return (
    <Form.List name={[index, 'links']}>
      {(fields, list) => (
        <>
          {fields.map((field) => {
            const path = `blocks.${index}.links.${field.name}`;
            return (
              <div key={field.key} className="lc-home-editor-link">
                <Field kind="text" name={[field.name, 'title']} path={`${path}.title`} label="common.field.name" required />
                <JumpFields at={[field.name]} path={path} watch={['blocks', index, 'links', field.name]} required />
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  disabled={fields.length === 1}
                  aria-label={t('home_page_config.remove_link', { number: field.name + 1 })}
                  onClick={() => {
                    list.remove(field.name);
                    onValuesChange();
                  }}
                />
              </div>
            );
          })}
          <Button
            icon={<PlusOutlined />}
            disabled={fields.length >= maxLinks}
            onClick={() => {
              list.add(newLink());
              onValuesChange();
            }}
          >
            {t('set_qr_code.target.add.url')}
          </Button>
        </>
      )}
    </Form.List>
  );
}

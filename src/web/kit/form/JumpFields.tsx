import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { linkJumpType, linkJumpTypes } from '../../../contract/links/jump.ts';
import { Field } from '../dialogs/FormModal.tsx';
import type { Option } from '../options.ts';
import { useFormContext } from './ContractForm.tsx';

const jumpOptions: Option[] = linkJumpTypes.map((type) => ({ value: type, label: `content.jump.type_${type}` }));
const placeholders = { 1: '/customer/qr_code_list', 2: 'https://example.com/', 3: 'https://example.com/', 4: 'content.jump.placeholder_4' };

type JumpFieldsProps = {
  /** Where in the form the two fields stand, and where in the contract. */
  at?: readonly (string | number)[];
  path?: string;
  /** Where the form's whole values hold them, inside a list of the form. */
  watch?: readonly (string | number)[];
  /** It must lead somewhere. */
  required?: boolean;
};

/** How and where a picture or link leads; what the address means follows the way. */
export function JumpFields({ at = [], path, watch = at, required = false }: JumpFieldsProps) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const type: (typeof linkJumpTypes)[number] = Form.useWatch([...watch, 'jump_type'], { form, preserve: true }) ?? linkJumpType.router;
  const pathOf = (field: string) => (path ? `${path}.${field}` : field);
  return (
    <>
      <Field
        kind="select"
        name={[...at, 'jump_type']}
        path={pathOf('jump_type')}
        label="content.jump.type"
        required={false}
        options={jumpOptions}
      />
      <Field
        kind="text"
        name={[...at, 'jump_address']}
        path={pathOf('jump_address')}
        label={`content.jump.address_${type}`}
        help={required ? `content.jump.help_${type}` : t('content.jump.or_nowhere', { help: t(`content.jump.help_${type}`) })}
        required={required}
        placeholder={placeholders[type]}
      />
    </>
  );
}

import { Form, Input, Segmented } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TargetKind } from '../../../../contract/enums.ts';
import { Field } from '../../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import type { ControlProps } from '../../../kit/form/controls.tsx';
import { PictureField } from '../../../kit/form/PictureField.tsx';
import { targetKindChoices } from '../../choices.ts';
import { completeUrl } from '../url.ts';
import type { TargetValues } from '../values.ts';
import { QrVerdict } from './QrVerdict.tsx';

type Kept = Pick<TargetValues, 'content' | 'picture_url' | 'qr_kind' | 'qr_text'>;
const nothing: Kept = { content: '', picture_url: null, qr_kind: null, qr_text: null };

type SetTarget = (values: Record<string, unknown>) => void;

/** The kind of a target; what was filled in for another kind comes back with that kind. */
function useTargetKind(index: number) {
  const { form, onValuesChange } = useFormContext();
  const kept = useRef<Partial<Record<TargetKind, Kept>>>({});
  const at = (field: string) => ['targets', index, field];
  const kind: TargetKind = Form.useWatch(at('kind'), { form, preserve: true }) ?? form.getFieldValue(at('kind')) ?? 'url';
  const set: SetTarget = (values) => {
    for (const [field, value] of Object.entries(values)) form.setFieldValue(at(field), value);
    onValuesChange();
  };
  function choose(next: TargetKind) {
    if (next === kind) return;
    const present: TargetValues = form.getFieldValue(['targets', index]);
    const { content = '', picture_url, qr_kind, qr_text } = present;
    kept.current[kind] = { content, picture_url, qr_kind, qr_text };
    set({ kind: next, ...(kept.current[next] ?? nothing) });
  }
  return { kind, choose, set };
}

/** The kind of a target and its content. */
export function TargetContent({ index }: { index: number }) {
  const { t } = useTranslation();
  const { kind, choose, set } = useTargetKind(index);
  return (
    <div className="lc-code-target-main">
      <Segmented<TargetKind>
        value={kind}
        onChange={choose}
        aria-label={t('set_qr_code.target.kind')}
        options={targetKindChoices.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      <Field
        name={[index, 'name']}
        path={`targets.${index}.name`}
        label="set_qr_code.target.name"
        kind="text"
        placeholder="set_qr_code.target.name_placeholder"
      />
      <div className="lc-code-target-content">
        <ContentField kind={kind} index={index} set={set} />
      </div>
    </div>
  );
}

/** Where a target of this kind leads: its address, its picture or its text. */
function ContentField({ kind, index, set }: { kind: TargetKind; index: number; set: SetTarget }) {
  const field = { name: [index, 'content'], path: `targets.${index}.content`, required: true } as const;
  switch (kind) {
    case 'url':
      return (
        <Field
          {...field}
          label="set_qr_code.target.url"
          help="set_qr_code.target.url_help"
          kind="custom"
          render={(props) => <UrlInput {...(props as ControlProps<string>)} />}
        />
      );
    case 'picture':
      return (
        <Field
          {...field}
          label="common.field.picture"
          kind="custom"
          render={({ id }) => <TargetPicture id={id} index={index} set={set} />}
        />
      );
    case 'text':
      return (
        <Field {...field} label="set_qr_code.target.text" kind="textarea" rows={3} placeholder="set_qr_code.target.text_placeholder" />
      );
  }
}

/** The content of a target whose kind stays. */
export function TargetContentField({ index }: { index: number }) {
  const { kind, set } = useTargetKind(index);
  return <ContentField kind={kind} index={index} set={set} />;
}

/** The picture of a target, with what its QR code was found to be. */
function TargetPicture({ id, index, set }: { id: string | undefined; index: number; set: SetTarget }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const pictureUrl: string | null = Form.useWatch(['targets', index, 'picture_url'], { form, preserve: true }) ?? null;
  return (
    <>
      <PictureField
        id={id}
        pictureUrl={pictureUrl}
        label={t('common.field.picture')}
        onUploaded={({ id: file, url, qr_kind, qr_text }) => {
          set({ content: String(file), picture_url: url, qr_kind, qr_text, any_picture: false });
          // What was found wrong with the former picture says nothing of this one.
          form.setFields([{ name: ['targets', index, 'content'], errors: [] }]);
        }}
      />
      <QrVerdict index={index} set={set} />
    </>
  );
}

/** An address; one typed without its scheme gets https when it is left. */
export function UrlInput({ onChange, onBlur, value, ...control }: ControlProps<string> & { placeholder?: string }) {
  return (
    <Input
      {...control}
      value={value}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      onChange={(event) => onChange?.(event.target.value)}
      onBlur={() => {
        const completed = completeUrl(value ?? '');
        if (completed !== value) onChange?.(completed);
        onBlur?.();
      }}
    />
  );
}

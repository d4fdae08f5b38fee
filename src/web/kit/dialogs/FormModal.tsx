import { Button } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '../calls/api.ts';
import { ContractForm } from '../form/ContractForm.tsx';
import { useAskToDiscard } from '../form/dirty.tsx';
import { type FieldData, Fields } from '../form/Fields.tsx';
import { type ContractFormOptions, type ContractForm as ContractFormState, useContractForm } from '../form/useContractForm.ts';
import { useIsPhone } from '../look/media.ts';
import { useText } from '../texts/text.ts';
import { askWidth, Modal } from './dialogs.tsx';

export { ContractForm } from '../form/ContractForm.tsx';
export { Field, type FieldData, Fields } from '../form/Fields.tsx';
export { type ContractForm as ContractFormState, useContractForm } from '../form/useContractForm.ts';

export type FormDialogProps<I, O> = ContractFormOptions<I, O> & {
  /** The call that is checked against and sent. */
  action: Endpoint<I, O>;
  /** Message keys or text; `submit` names the act ("Create code"). */
  title: string;
  submit: string;
  /** The act cannot be taken back: its button is red. */
  danger?: boolean;
  /** The dialog goes at once: one that lived on for its motion would take the next that is opened meanwhile with it. */
  onClose: (isDone: boolean) => void;
  /** Fields as data, or children (with `<Field>` in them), or both. */
  fields?: readonly FieldData[];
  children?: ReactNode;
  /** It only asks, with a field at most: the dialog is small. All others take the window's width, as every dialog does. */
  asks?: boolean;
  intro?: ReactNode;
};

/** The form, closing that asks when dirty, and the buttons. */
function useFormDialog<I extends object, O>(props: FormDialogProps<I, O>) {
  const { action, onClose, onDone, ...options } = props;
  const { t } = useTranslation();
  const text = useText();
  const ask = useAskToDiscard();
  const form = useContractForm(action, {
    ...options,
    onDone(output) {
      onDone?.(output);
      onClose(true);
    },
  });

  async function close() {
    if (form.isRunning) return;
    if (!form.isDirty || (await ask())) onClose(false);
  }

  const footer = (
    <div className="lc-form-footer">
      <Button onClick={() => void close()} disabled={form.isRunning}>
        {t('common.cancel')}
      </Button>
      <Button
        type="primary"
        danger={props.danger ?? false}
        disabled={form.isHeld}
        loading={form.isRunning}
        onClick={() => void form.submit()}
      >
        {text(props.submit)}
      </Button>
    </div>
  );
  return { form, close, footer, title: text(props.title) };
}

type BodyProps = { form: ContractFormState; intro?: ReactNode; fields?: readonly FieldData[]; children?: ReactNode };

function FormBody({ form, intro, fields, children }: BodyProps) {
  const body = useRef<HTMLDivElement>(null);
  // The first field has the focus when the dialog stands; before, the opening dialog would take it away again.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (body.current?.contains(document.activeElement)) return;
      const first = body.current?.querySelector<HTMLElement>('input:not([type=hidden]):not([disabled]), textarea:not([disabled])');
      first?.focus();
      // As after a press of Tab: what one types takes the place of what is there.
      if (first instanceof HTMLInputElement) first.select();
    }, 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div ref={body}>
      {intro && <div className="lc-form-intro">{intro}</div>}
      <ContractForm form={form} entersSend>
        {fields && <Fields fields={fields} />}
        {children}
      </ContractForm>
    </div>
  );
}

/**
 * A form in a dialog, its fields in columns by the room there is. Render it while it is open: `{isAdding && <FormModal action={api.x.add} …
 * onClose={…} />}`. Enter in a line of text and Ctrl-Enter anywhere send; Esc, the mask and leaving the route ask when something was typed.
 */
export function FormModal<I extends object, O>(props: FormDialogProps<I, O>) {
  const { form, close, footer, title } = useFormDialog(props);
  const isPhone = useIsPhone();
  return (
    <Modal
      open
      title={title}
      {...(props.asks ? { width: askWidth } : {})}
      centered={!isPhone}
      {...(isPhone ? { style: { top: '2vh', margin: '0 auto' } } : {})}
      className="lc-form-modal"
      onCancel={() => void close()}
      footer={footer}
    >
      <FormBody form={form} intro={props.intro} fields={props.fields}>
        {props.children}
      </FormBody>
    </Modal>
  );
}

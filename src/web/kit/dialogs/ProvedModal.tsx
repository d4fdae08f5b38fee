import type { Proved } from '../../../contract/kit/call.ts';
import { useSealed } from '../calls/useSealed.ts';
import { useFormContext } from '../form/ContractForm.tsx';
import { Field, type FormDialogProps, FormModal } from './FormModal.tsx';

type Proof = { password?: string | undefined; totp?: string | undefined };

/** The caller's own password and the code of his second factor, as the contract of the form's call demands them. */
function ProofFields({ when }: { when: string | undefined }) {
  const { proved } = useFormContext().call;
  const { needs_code, super_only }: Exclude<Proved, true> = proved === true ? {} : (proved ?? {});
  const needsCode = needs_code ?? super_only ?? false;
  return (
    <>
      <Field
        kind="password"
        name="password"
        // Where servers are reached there are other passwords beside it.
        label={super_only ? 'proof.own_password' : 'common.field.password'}
        {...(when ? { help: when } : {})}
        required={!when}
        autoComplete="current-password"
      />
      <Field
        kind="text"
        name="totp"
        label="proof.code"
        placeholder="update_password.code_placeholder"
        help={needsCode ? 'proof.code_once' : 'proof.code_help'}
        required={needsCode}
        autoComplete="one-time-code"
      />
    </>
  );
}

type Props<I, O> = FormDialogProps<I, O> & {
  /** Words for when a proof is needed, where the service of the call decides it. */
  proofWhen?: string;
};

/** A form, or a question without any fields, whose call wants a proof of who sends it: asked for last, and sealed on its way. */
export function ProvedModal<I extends Proof, O>({ action, proofWhen, children, ...props }: Props<I, O>) {
  return (
    <FormModal {...props} action={useSealed(action, ['password'])}>
      {children}
      <ProofFields when={proofWhen} />
    </FormModal>
  );
}

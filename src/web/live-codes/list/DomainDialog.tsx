import { api } from '../../kit/calls/api.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Field, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { DomainRiskField } from '../../kit/domainChoice.tsx';
import type { Values } from '../../kit/form/contract.ts';
import { presentDomain } from '../choices.ts';
import { DomainSelect } from '../edit/DomainSelect.tsx';
import { type CodesDialogProps, useCodesWords } from './SettingDialogs.tsx';

const wireChoice = (choice: unknown) => (choice === 'none' ? null : choice);

/** Only what was chosen: a code's other domain stays as it is. */
function toInput({ entry_domain_id, landing_domain_id, accept_risk = false }: Values, ids: readonly number[]): Values {
  return {
    ids,
    accept_risk,
    ...(entry_domain_id === 'keep' ? {} : { entry_domain_id: wireChoice(entry_domain_id) }),
    ...(landing_domain_id === 'keep' ? {} : { landing_domain_id: wireChoice(landing_domain_id) }),
  };
}

/** Puts other domains on one code or many. */
export function DomainDialog({ codes, onDone, onClose }: CodesDialogProps) {
  const { user } = useSession();
  const [first] = codes;
  const only = codes.length === 1 ? first : undefined;
  const owner = codes.every((code) => code.owner_id === first?.owner_id) ? first?.owner_id : undefined;
  const common = { ownerId: owner === user?.id ? undefined : owner, offersKeep: only === undefined };
  return (
    <FormModal
      action={api.qr_code_list.change_domain_name}
      title="qr_code_list.actions.domain"
      submit="menu.button.domain"
      intro={useCodesWords(codes)}
      initial={
        only
          ? { entry_domain_id: only.entry_domain_id ?? 'none', landing_domain_id: only.landing_domain_id ?? 'none' }
          : { entry_domain_id: 'keep', landing_domain_id: 'keep' }
      }
      toInput={(values) =>
        toInput(
          values,
          codes.map((code) => code.id),
        )
      }
      success={false}
      onDone={onDone}
      onClose={onClose}
    >
      <Field name="entry_domain_id" label="qr_code_list.columns.entry" help="qr_code_list.domain.entry_warning">
        <DomainSelect type="entry" present={presentDomain(only, 'entry')} {...common} />
      </Field>
      <Field name="landing_domain_id" label="qr_code_list.columns.landing" help="set_qr_code.domain.landing_help">
        <DomainSelect type="landing" present={presentDomain(only, 'landing')} {...common} />
      </Field>
      <DomainRiskField ownerId={common.ownerId} />
    </FormModal>
  );
}

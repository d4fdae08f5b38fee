import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { domainTypes } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { useLineResults } from '../kit/feedback/LineResults.tsx';
import type { Values } from '../kit/form/contract.ts';
import { addFields } from './domains.fields.ts';

const kinds = {
  added: 'success',
  repeated: 'neutral',
  exists: 'neutral',
  taken: 'error',
  quota_exceeded: 'warning',
  invalid_host: 'error',
  public_suffix: 'error',
  development_host: 'error',
} as const;

/** Lines that say something; the server leaves out those that are comments. */
const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');

/** Adds a domain for each line, and tells what became of those that could not be added. */
export function AddDomains({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const [isFormOpen, setIsFormOpen] = useState(true);
  /** What the form begins with: the lines at fault of the attempt before, with the choices made there. */
  const [initial, setInitial] = useState<Values>({ type: domainTypes[0], holder_id: user?.id });
  const sent = useRef<Values>(initial);
  function correct(faulty: string[]) {
    setInitial({ ...sent.current, lines: faulty.join('\n') });
    setIsFormOpen(true);
  }
  const lines = useLineResults({ screen: 'domain_list', kinds, onClose, correct });

  return (
    <>
      {isFormOpen && (
        <FormModal
          action={api.domain_list.add_many}
          title="domain_list.add"
          submit="domain_list.add"
          success={false}
          intro={t('domain_list.intro')}
          initial={initial}
          fields={addFields(user)}
          // No line at all is a field that wasn't filled in.
          toInput={(values) => {
            sent.current = values;
            return { ...values, lines: linesOf(values.lines).length > 0 ? linesOf(values.lines) : null };
          }}
          onDone={(output) => {
            if (output.added > 0) onAdded();
            lines.show(output);
          }}
          onClose={(isDone) => {
            setIsFormOpen(false);
            if (!isDone) onClose();
          }}
        />
      )}
      {lines.dialog}
    </>
  );
}

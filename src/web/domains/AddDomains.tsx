import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { domainTypes } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { useLineResults } from '../kit/feedback/LineResults.tsx';
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
  const lines = useLineResults({ screen: 'domain_list', kinds, onClose });
  const [isFormOpen, setIsFormOpen] = useState(true);

  return (
    <>
      {isFormOpen && (
        <FormModal
          action={api.domain_list.add_many}
          title="domain_list.add"
          submit="domain_list.add"
          success={false}
          intro={t('domain_list.intro')}
          initial={{ type: domainTypes[0], holder_id: user?.id }}
          fields={addFields(user)}
          // No line at all is a field that wasn't filled in.
          toInput={(values) => ({ ...values, lines: linesOf(values.lines).length > 0 ? linesOf(values.lines) : null })}
          onDone={(output) => {
            if (output.added > 0) onAdded();
            lines.show(output);
          }}
          onClose={() => {
            setIsFormOpen(false);
            if (!lines.isOpen) onClose();
          }}
        />
      )}
      {lines.dialog}
    </>
  );
}

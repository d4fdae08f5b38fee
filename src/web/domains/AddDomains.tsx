import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { domainList } from '../../contract/domains/domain-list.ts';
import { domainTypes } from '../../contract/enums.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { LineResults, type LineWords } from '../kit/feedback/LineResults.tsx';
import { addFields } from './domains.fields.ts';

type Added = OutputOf<(typeof domainList)['calls']['add_many']>;

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

const words: LineWords = {
  title: 'domain_list.results',
  summary: 'domain_list.results_summary',
  line: 'domain_list.line',
  result: 'domain_list.result',
  state: (state) => `domain_list.line_${state}`,
};

/** Lines that say something; the server leaves out those that are comments. */
const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');

/** Adds a domain for each line, and tells what became of those that could not be added. */
export function AddDomains({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { user } = useSession();
  const [added, setAdded] = useState<Added | null>(null);
  const [isFormOpen, setIsFormOpen] = useState(true);

  function showResults(output: Added) {
    if (output.added > 0) onAdded();
    if (output.results.every(({ state }) => state === 'added')) void message.success(t('domain_list.added', { number: output.added }));
    else setAdded(output);
  }

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
          onDone={showResults}
          onClose={() => {
            setIsFormOpen(false);
            if (!added) onClose();
          }}
        />
      )}
      {added && <LineResults added={added} kinds={kinds} words={words} onClose={onClose} />}
    </>
  );
}

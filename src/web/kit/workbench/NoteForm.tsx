import { api, type Endpoint } from '../calls/api.ts';
import { FormModal } from '../dialogs/FormModal.tsx';
import { remoteOptions } from '../options.ts';
import type { Annotation } from './answers.ts';

const codeSource = remoteOptions(
  api.today_statistics.code_options,
  (search) => ({ search }),
  ({ id, name, file_name }) => ({ value: id, label: name || file_name }),
);

type NoteFormProps = {
  note: Annotation | undefined;
  /** The moment that a new one is about at first. */
  at: string | undefined;
  /** The codes that are looked at: a new one is about the one that stands alone. */
  codes: readonly number[];
  onClose: () => void;
};

/** Writes a remark beside the figures, or changes one. */
export function NoteForm({ note, at, codes, onClose }: NoteFormProps) {
  const [first, ...others] = codes;
  const initial = note ?? { text: '', at, live_code_id: others.length === 0 ? (first ?? null) : null };
  const { text, live_code_id } = initial;
  return (
    <FormModal
      action={(note ? api.visit_note.update : api.visit_note.add) as Endpoint<object, unknown>}
      title={note ? 'visit_note.edit' : 'visit_note.add'}
      submit={note ? 'common.save' : 'visit_note.add'}
      initial={{ text, at: initial.at, live_code_id }}
      toInput={(values) => ({ ...values, live_code_id: values.live_code_id ?? null, ...(note ? { id: note.note_id } : {}) })}
      invalidates={['historical_statistics']}
      fields={[
        { kind: 'text', name: 'text', label: 'visit_note.text', wide: true },
        { kind: 'time', name: 'at', label: 'common.field.time', clearable: false },
        {
          kind: 'remote',
          name: 'live_code_id',
          label: 'common.field.live_code',
          help: 'visit_note.live_code_help',
          placeholder: 'visit_note.all_codes',
          source: codeSource,
          known: note?.live_code_id ? [{ value: note.live_code_id, label: note.code_name }] : [],
        },
      ]}
      onClose={onClose}
    />
  );
}

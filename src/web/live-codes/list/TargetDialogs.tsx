import { Alert, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TargetReplacement } from '../../../contract/codes/target-batches.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useCall } from '../../kit/calls/query.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Status } from '../../kit/feedback.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { useDebounced } from '../../kit/useDebounced.ts';
import { TargetContentField } from '../edit/targets/TargetContent.tsx';
import { TargetLimits } from '../edit/targets/TargetLimits.tsx';
import { newTarget, type TargetValues, targetInput } from '../edit/values.ts';
import '../edit/edit.css';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import type { SelectedCode } from './useDialogs.ts';

type Props = { codes: readonly SelectedCode[]; onDone: () => void; onClose: () => void };

const typingMilliseconds = 400;
const idsOf = (codes: readonly SelectedCode[]) => codes.map(({ id }) => id);

/** Replaces a text in the addresses that the selected codes lead to, after showing what each becomes. */
export function ReplaceTargetsDialog({ codes, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const undo = useUndo();
  const ids = idsOf(codes);
  return (
    <FormModal
      action={api.qr_code_list.replace_targets}
      title="qr_code_list.targets.replace"
      submit="qr_code_list.targets.replace_submit"
      intro={t('qr_code_list.targets.replace_intro', { number: exact(codes.length) })}
      fields={[
        { kind: 'text', name: 'find', label: 'qr_code_list.targets.find', placeholder: 'https://old.example.com/' },
        { kind: 'text', name: 'replace', label: 'qr_code_list.targets.with', placeholder: 'https://new.example.com/', required: false },
      ]}
      initial={{ find: '', replace: '' }}
      toInput={({ find, replace = '' }) => ({ ids, find, replace })}
      success={false}
      onDone={({ affected, targets, change_id }) => {
        undo.offer(t('qr_code_list.targets.replaced', { number: exact(targets), codes: exact(affected) }), change_id);
        onDone();
      }}
      onClose={onClose}
    >
      <Preview ids={ids} />
    </FormModal>
  );
}

function Preview({ ids }: { ids: number[] }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { form } = useFormContext();
  const typed = { find: Form.useWatch('find', form) ?? '', replace: Form.useWatch('replace', form) ?? '' };
  const find = useDebounced(String(typed.find), typingMilliseconds).trim();
  const replace = useDebounced(String(typed.replace), typingMilliseconds).trim();
  const { data } = useCall(api.qr_code_list.find_targets, { ids, find, replace }, { enabled: find !== '' });
  if (find === '' || !data) return null;
  return (
    <section className="lc-target-preview" aria-live="polite">
      <Alert
        type={data.targets > 0 ? 'info' : 'warning'}
        showIcon
        title={t(data.targets > 0 ? 'qr_code_list.targets.found' : 'qr_code_list.targets.found_none', {
          number: exact(data.targets),
          codes: exact(data.affected),
        })}
        description={data.refused > 0 ? t('qr_code_list.targets.refused', { number: exact(data.refused) }) : undefined}
      />
      <ul>
        {data.content.map((one) => (
          <Replacement key={one.target_id} replacement={one} />
        ))}
      </ul>
    </section>
  );
}

function Replacement({ replacement: { live_code_id, name, before, after, fault } }: { replacement: TargetReplacement }) {
  return (
    <li>
      <CodeLink id={live_code_id} name={name} />
      <del>{before}</del>
      <ins>{after}</ins>
      {fault && <Status kind="error" label={fieldErrorText(fault)} />}
    </li>
  );
}

const formFields = ['kind', 'content', 'threshold', 'refill_hour', 'expires_at', 'weight'] as const;

/** Gives each of the selected codes one more target, its last. */
export function AddTargetDialog({ codes, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const undo = useUndo();
  return (
    <FormModal
      action={api.qr_code_list.add_target}
      title="qr_code_list.targets.add"
      submit="qr_code_list.targets.add_submit"
      intro={t('qr_code_list.targets.add_intro', { number: exact(codes.length) })}
      initial={{ targets: [newTarget()] }}
      toInput={(values) => {
        const [target] = values.targets as [TargetValues];
        return { ids: idsOf(codes), target: targetInput(target) };
      }}
      // The form knows a list of one target, the call the target alone.
      fieldOf={Object.fromEntries(formFields.map((field) => [`target.${field}`, `targets.0.${field}`]))}
      success={false}
      onDone={({ affected, full, change_id }) => {
        const words = full > 0 ? 'qr_code_list.targets.added_but_full' : 'qr_code_list.targets.added';
        undo.offer(t(words, { number: exact(affected), full: exact(full) }), change_id);
        onDone();
      }}
      onClose={onClose}
    >
      <Form.List name="targets">
        {() => (
          <>
            <TargetContentField index={0} />
            <TargetLimits index={0} isRandom={false} />
          </>
        )}
      </Form.List>
    </FormModal>
  );
}

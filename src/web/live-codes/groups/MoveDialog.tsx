import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { Field, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { doneWords } from '../../kit/feedback/doneWords.ts';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import { type Grouping, GroupSelect } from './GroupSelect.tsx';

type MoveDialogProps = {
  grouping: Grouping;
  ids: readonly number[];
  /** The name of the only code, or the group that is emptied. */
  name?: string | undefined;
  ownerId?: number | undefined;
  groupId?: number | null | undefined;
  onDone?: () => void;
  onClose: () => void;
};

/** Puts codes into another group, or takes them out of theirs. */
export function MoveDialog({ grouping, ids, name, ownerId, groupId, onDone, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const undo = useUndo();
  return (
    <FormModal
      action={api[grouping].move}
      title={grouping === 'group' ? 'group.move' : 'group.move_internal'}
      submit="menu.button.move"
      intro={name ?? t('qr_code_list.codes', { count: ids.length })}
      asks
      success={false}
      initial={groupId === undefined ? {} : { group_id: groupId }}
      toInput={({ group_id }) => ({ ids: [...ids], ...(group_id === undefined ? {} : { group_id }) })}
      invalidates={['qr_code_list', 'group', 'internal_code_grouping']}
      onDone={(output) => {
        undo.offer(doneWords(api[grouping].move, {}, output), output.change_id);
        onDone?.();
      }}
      onClose={onClose}
    >
      <Field name="group_id" label="group.title_one">
        <GroupSelect grouping={grouping} ownerId={ownerId} />
      </Field>
    </FormModal>
  );
}

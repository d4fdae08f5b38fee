import type { LiveCode } from '../../../contract/codes/live-code.ts';
import type { SelectedRow } from '../../kit/list/types.ts';
import type { DialogState } from '../../kit/useDialog.ts';

/** A selected code; of one beyond the pages that were looked at only the id is known. */
export type SelectedCode = SelectedRow<LiveCode>;

/** What can be opened: for one code, or for several at once. */
export type Dialog =
  | { kind: 'design' | 'share'; code: LiveCode }
  | {
      kind:
        | 'domain'
        | 'restriction'
        | 'log'
        | 'batch'
        | 'group'
        | 'internal_group'
        | 'transfer'
        | 'print'
        | 'look'
        | 'export'
        | 'replace_targets'
        | 'add_target';
      codes: readonly SelectedCode[];
    };

export type Dialogs = DialogState<Dialog>;
export type OpenDialog = Dialogs['open'];

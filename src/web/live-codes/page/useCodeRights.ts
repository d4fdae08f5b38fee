import { useSession } from '../../kit/calls/session.tsx';
import { type Act, actNodes } from '../list/nodes.ts';

/** What the user may do with a code wherever he sees it: by the nodes of his own list, or by those of the list of all codes. */
export function useCodeRights(code: { owner_id: number; removed: boolean }) {
  const { allows, mayChange } = useSession();
  const holds = (act: Act): boolean => allows(actNodes.qr_code_list[act]) || allows(actNodes.qr_code_list_admin[act]);
  return {
    /** Of acts that only look. */
    sees: holds,
    /** Of acts that change the code. */
    may: (act: Act): boolean => !code.removed && mayChange(code) && (holds(act) || (act === 'edit' && allows('set_qr_code.save'))),
  };
}
export type CodeRights = ReturnType<typeof useCodeRights>;

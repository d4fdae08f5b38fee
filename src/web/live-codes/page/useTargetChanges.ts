import type { LiveCodeDetails, Target, TargetInput } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';

/** All targets of a code as an update takes them, with changes to one: what isn't said of a target stays as it is. */
export const targetsWith = (code: LiveCodeDetails, changed: Target, changes: Partial<TargetInput>): TargetInput[] =>
  code.targets.map(({ id, kind, content }) => ({ id, kind, content, ...(id === changed.id ? changes : {}) }));

/** The changes of one target that need no form. */
export function useTargetChanges(code: LiveCodeDetails) {
  const update = useAction(api.qr_code_list.update, { success: 'qr_code.target.enabled' });
  const refill = useAction(api.qr_code_list.refill);
  return {
    enable: (target: Target) =>
      void update.run({ id: code.id, version: code.version, targets: targetsWith(code, target, { enabled: true }) }),
    refill: (target: Target) => void refill.run({ id: code.id, target_id: target.id }),
    isRunning: update.isRunning || refill.isRunning,
  };
}

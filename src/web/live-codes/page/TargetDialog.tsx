import { Form } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails, Target } from '../../../contract/codes/live-code.ts';
import { rotationMode } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { Field, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { LiveTargetsProvider } from '../edit/live.ts';
import { TargetContentField } from '../edit/targets/TargetContent.tsx';
import { TargetLimits } from '../edit/targets/TargetLimits.tsx';
import { type TargetValues, targetInput, targetValues } from '../edit/values.ts';
import '../edit/edit.css';
import { targetsWith } from './useTargetChanges.ts';

type TargetDialogProps = { code: LiveCodeDetails; target: Target; number: number; onClose: () => void };

/** The form of one target: where it leads first, then how long it serves. Everything else of the code stays as it is. */
export function TargetDialog({ number, onClose, ...props }: TargetDialogProps) {
  const { t } = useTranslation();
  // As they were when the form was filled: a change that somebody makes meanwhile is not overwritten, but told.
  const [{ code, target }] = useState(props);
  const live = useMemo(() => new Map([[target.id, target]]), [target]);
  const at = code.targets.indexOf(target);
  // The form knows one target, the call all of them: what is wrong with this one is said here.
  const fieldOf = Object.fromEntries(formFields.map((field) => [`targets.${at}.${field}`, `targets.0.${field}`]));
  return (
    <LiveTargetsProvider value={live}>
      <FormModal
        action={api.qr_code_list.update}
        title={t('qr_code.target.edit_number', { number })}
        submit="common.save"
        initial={{ targets: [targetValues(target)] }}
        toInput={(values) => {
          const [changed] = values.targets as [TargetValues];
          return { id: code.id, version: code.version, targets: targetsWith(code, target, targetInput(changed)) };
        }}
        fieldOf={fieldOf}
        success="set_qr_code.saved"
        onClose={onClose}
      >
        <Form.List name="targets">
          {() => (
            <>
              <TargetContentField index={0} />
              <TargetLimits index={0} isRandom={code.rotation_mode === rotationMode.random} />
              <div className="lc-code-fields">
                <Field
                  name={[0, 'name']}
                  path="targets.0.name"
                  label="set_qr_code.target.name"
                  kind="text"
                  placeholder="set_qr_code.target.name_placeholder"
                />
                <Field name={[0, 'enabled']} path="targets.0.enabled" label="common.enable" kind="switch" required={false} />
              </div>
            </>
          )}
        </Form.List>
      </FormModal>
    </LiveTargetsProvider>
  );
}

const formFields = ['content', 'name', 'weight', 'threshold', 'refill_hour', 'expires_at', 'enabled'] as const;

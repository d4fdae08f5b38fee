import { AimOutlined, BarChartOutlined } from '@ant-design/icons';
import { Alert, Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { rotationChoices } from '../../choices.ts';
import { ChoiceField } from '../ChoiceField.tsx';
import { useLiveTargets } from '../live.ts';
import { rotationNote } from '../rotation.ts';
import { Section } from '../Section.tsx';
import type { CodeValues } from '../values.ts';
import { TargetList } from './TargetList.tsx';

type TargetsSectionProps = {
  open: ReadonlySet<string>;
  setOpen: (change: (present: ReadonlySet<string>) => ReadonlySet<string>) => void;
  look: (key: string) => void;
  refill?: (targetId: number) => void;
  /** Shows where visitors would be sent. */
  tryOut: (view: 'test' | 'simulate') => void;
};

export function TargetsSection({ tryOut, ...props }: TargetsSectionProps) {
  const { t } = useTranslation();
  return (
    <Section name="targets">
      <TargetList {...props} />
      <ChoiceField name="rotation_mode" label="qr_code_list.columns.rotation_mode" choices={rotationChoices} />
      <RotationSentence />
      <Field name="same_target" label="set_qr_code.same_target" help="set_qr_code.same_target_help" kind="switch" />
      <div className="lc-code-try">
        <Button icon={<AimOutlined aria-hidden />} onClick={() => tryOut('test')}>
          {t('set_qr_code.trial.open_test')}
        </Button>
        <Button icon={<BarChartOutlined aria-hidden />} onClick={() => tryOut('simulate')}>
          {t('set_qr_code.trial.open_simulate')}
        </Button>
      </div>
    </Section>
  );
}

/** What the rotation will do with these targets, in a sentence. */
function RotationSentence() {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const live = useLiveTargets();
  const values: CodeValues | undefined = Form.useWatch((all) => all as CodeValues, { form, preserve: true });
  if (!values?.targets) return null;
  const { kind, key, values: figures } = rotationNote({ values, live, now: Date.now() });
  return <Alert className="lc-code-note lc-code-alert" type={kind} showIcon title={t(key, figures)} />;
}

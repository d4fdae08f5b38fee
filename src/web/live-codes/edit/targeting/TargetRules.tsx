import { CopyOutlined, DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maximumRules, type TargetRule } from '../../../../contract/codes/targeting.ts';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { RuleDialog } from './RuleDialog.tsx';
import { ruleLine } from './words.ts';
import './targeting.css';

/** Whom a target serves: everybody, or visitors whom one of its rules fits. */
export function TargetRules({ index }: { index: number }) {
  const { t, i18n } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const path = ['targets', index, 'rules'];
  const rules: TargetRule[] = Form.useWatch(path, { form, preserve: true }) ?? [];
  /** Position of the rule in the dialog; one past the last is a new one. */
  const [edited, setEdited] = useState<number | null>(null);

  function set(next: TargetRule[]) {
    form.setFieldValue(path, next.length > 0 ? next : null);
    onValuesChange();
  }
  const number = index + 1;
  return (
    <fieldset className="rule-list" aria-label={t('set_qr_code.targeting.title')}>
      <div className="rule-list-head">
        <span className="rule-list-title">{t('set_qr_code.targeting.title')}</span>
        <span className="lc-soft">{t(rules.length > 0 ? 'set_qr_code.targeting.some' : 'set_qr_code.targeting.everybody')}</span>
      </div>
      {rules.length > 0 && (
        <ol className="rule-lines">
          {rules.map((rule, place) => (
            // Rules have no identity but their place, and hold no state.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above.
            <li key={place} className="rule-line">
              <button type="button" className="rule-line-words" onClick={() => setEdited(place)}>
                {ruleLine(rule, { t, language: i18n.language })}
              </button>
              <RuleButton icon={<EditOutlined />} act="edit" number={place + 1} onClick={() => setEdited(place)} />
              <RuleButton
                icon={<CopyOutlined />}
                act="copy"
                number={place + 1}
                isDisabled={rules.length >= maximumRules}
                onClick={() => set(rules.toSpliced(place + 1, 0, rule))}
              />
              <RuleButton icon={<DeleteOutlined />} act="remove" number={place + 1} onClick={() => set(rules.toSpliced(place, 1))} />
            </li>
          ))}
        </ol>
      )}
      <Button
        size="small"
        icon={<PlusOutlined />}
        disabled={rules.length >= maximumRules}
        aria-label={t('set_qr_code.targeting.add_to', { number })}
        onClick={() => setEdited(rules.length)}
      >
        {t('set_qr_code.targeting.add')}
      </Button>
      {edited !== null && (
        <RuleDialog
          rule={rules[edited] ?? null}
          onClose={() => setEdited(null)}
          onSave={(rule) => {
            set(rules.toSpliced(edited, 1, rule));
            setEdited(null);
          }}
        />
      )}
    </fieldset>
  );
}

type RuleButtonProps = {
  icon: React.ReactNode;
  act: 'edit' | 'copy' | 'remove';
  number: number;
  isDisabled?: boolean;
  onClick: () => void;
};

function RuleButton({ icon, act, number, isDisabled, onClick }: RuleButtonProps) {
  const { t } = useTranslation();
  const name = t(`set_qr_code.targeting.${act}_rule`, { number });
  return <Button type="text" size="small" icon={icon} aria-label={name} title={name} disabled={isDisabled} onClick={onClick} />;
}

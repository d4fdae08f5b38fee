import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, api } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';

type Tried = { words: string; note?: string; isFailed: boolean };

// not messages: a sample of what a template looks like.
const sample = '{"zh-CN": "{{user.account}} 修改了 {{content.name}}"}';

/** The template of a rule, with a try on the newest entry of its type: a bad one says that the conversion failed. */
export function TemplateField({ id, value, onChange, onBlur, type }: ControlProps<string | null> & { type?: string }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const typed = Form.useWatch<string | undefined>('type', form);
  const [tried, setTried] = useState<Tried | null>(null);
  const [isTrying, setIsTrying] = useState(false);
  const text = value ?? '';

  async function convert() {
    setIsTrying(true);
    try {
      const pattern = type ?? typed;
      const of = pattern && pattern !== '*' && !pattern.endsWith('/*') ? { type: pattern } : {};
      const { sentence, log_id } = await api.log_config.convert({ template: text, ...of });
      setTried({ words: sentence, isFailed: false, ...(log_id === null ? {} : { note: t('log_config.on_entry', { id: log_id }) }) });
    } catch (error) {
      const isBad = error instanceof ApiFailure && error.fields.template !== undefined;
      const isMissing = error instanceof ApiFailure && error.status === 404;
      setTried({
        words: isBad ? t('log_config.conversion_failed') : isMissing ? t('log_config.no_entry') : failureText(error),
        isFailed: !isMissing,
      });
    } finally {
      setIsTrying(false);
    }
  }

  return (
    <div className="log-template">
      <Input.TextArea
        id={id}
        className="lc-code"
        autoSize={{ minRows: 4, maxRows: 12 }}
        placeholder={sample}
        value={text}
        onBlur={onBlur}
        onChange={(event) => {
          setTried(null);
          onChange?.(event.target.value);
        }}
      />
      <div className="log-try">
        <Button size="small" disabled={text.trim() === ''} loading={isTrying} onClick={() => void convert()}>
          {t('log_config.try')}
        </Button>
        <output className={tried?.isFailed ? 'log-try-failed' : undefined}>
          {tried && (
            <>
              {tried.words} {tried.note && <small className="lc-soft">{tried.note}</small>}
            </>
          )}
        </output>
      </div>
    </div>
  );
}

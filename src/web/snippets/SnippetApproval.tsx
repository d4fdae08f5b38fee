import { Alert, Button, Descriptions, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { snippetOf, snippetPresets } from '../../contract/links/js-config.providers.ts';
import type { Snippet } from '../../contract/links/js-config.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { SnippetReport } from './SnippetPreview.tsx';

/** An administrator reads what a customer wants to run, and decides about exactly that. */
export function SnippetApproval({ snippet, onClose }: { snippet: Snippet; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const approve = useAction(api.js_config.approve, { success: false, invalidates: ['message_list'], onSuccess: onClose });
  const { id, version, provider, provider_id, code, origins } = snippet;
  const decide = (approved: boolean) => void approve.run({ id, version, approved, reason: reason.trim() });
  const content = provider === 'code' ? { provider, code, origins } : { provider, provider_id };
  const items = [
    { key: 'owner', label: t('js_config.owner'), children: snippet.owner_account },
    {
      key: 'provider',
      label: t('js_config.provider'),
      children: provider === 'code' ? t('js_config.own_code') : snippetPresets[provider].name,
    },
    {
      key: 'where',
      label: t('js_config.where'),
      children: snippet.all_codes ? t('js_config.all_codes') : t('js_config.codes', { number: snippet.codes }),
    },
    { key: 'origins', label: t('js_config.origins'), children: (snippetOf(snippet)?.origins ?? []).join(' ') || '–' },
  ];
  return (
    <Drawer
      open
      title={t('js_config.judge_title', { name: snippet.name })}
      size={760}
      onClose={onClose}
      footer={
        <div className="lc-form-footer">
          <Button danger disabled={reason.trim() === ''} loading={approve.isRunning} onClick={() => decide(false)}>
            {t('js_config.refuse')}
          </Button>
          <Button type="primary" disabled={snippet.approval === 'approved'} loading={approve.isRunning} onClick={() => decide(true)}>
            {t('js_config.approve')}
          </Button>
        </div>
      }
    >
      <div className="lc-snippet-report">
        <Alert type="warning" showIcon title={t('js_config.judge_help')} />
        <Descriptions size="small" column={1} items={items} />
        <pre className="lc-snippet-code lc-code">{snippetOf(snippet)?.script}</pre>
        <SnippetReport content={content} />
        <Input.TextArea
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          placeholder={t('js_config.reason_placeholder')}
          aria-label={t('js_config.reason')}
        />
      </div>
    </Drawer>
  );
}

import { EditOutlined, PlusOutlined, QrcodeOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Alias, maxAliases } from '../../../contract/codes/alias.ts';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Copyable, Num, Status } from '../../kit/feedback.ts';
import { linkText } from '../../kit/host.ts';
import { useDialog } from '../../kit/useDialog.ts';
import { aliasForwarded } from '../choices.ts';
import { AliasForm, AliasQr } from './AliasDialogs.tsx';
import { useCodeRights } from './useCodeRights.ts';

/** As many of a link's even characters as a line has room for. */
const linkCharacters = 36;

type Open = { kind: 'form'; alias: Alias | undefined } | { kind: 'qr'; alias: Alias };

/** The further keys of a code: what each is for, what it holds, and how many visits came by it. */
export function AliasesPanel({ code }: { code: LiveCodeDetails }) {
  const { t } = useTranslation();
  const { may } = useCodeRights(code);
  const dialog = useDialog<Open>();
  const { aliases } = code;
  if (aliases.length === 0 && !may('edit')) return null;
  return (
    <section className="lc-panel lc-code-aliases">
      <div className="lc-panel-head">
        <div>
          <h2>
            {t('qr_code.alias.title')} <span className="lc-soft lc-num">{aliases.length > 0 && aliases.length}</span>
          </h2>
          <p className="lc-soft">{t('qr_code.alias.help')}</p>
        </div>
        {may('edit') && aliases.length < maxAliases && (
          <Button icon={<PlusOutlined />} onClick={() => void dialog.open({ kind: 'form', alias: undefined })}>
            {t('qr_code.alias.add')}
          </Button>
        )}
      </div>
      {aliases.length > 0 && (
        <ul className="lc-code-target-list">
          {aliases.map((alias) => (
            <AliasLine key={alias.id} code={code} alias={alias} open={dialog.open} />
          ))}
        </ul>
      )}
      {dialog.present?.kind === 'form' && <AliasForm code={code} alias={dialog.present.alias} onClose={dialog.close} />}
      {dialog.present?.kind === 'qr' && <AliasQr code={code} alias={dialog.present.alias} onClose={dialog.close} />}
    </section>
  );
}

type AliasLineProps = { code: LiveCodeDetails; alias: Alias; open: (dialog: Open) => unknown };

function AliasLine({ code, alias, open }: AliasLineProps) {
  const { t } = useTranslation();
  const { may } = useCodeRights(code);
  const confirm = useConfirm();
  const removal = useAction(api.qr_code_list.remove_alias, { success: 'qr_code.alias.removed' });
  const { key, remark, url, visits, forward_path } = alias;

  async function remove() {
    // The page may have stood open for long, and it is asked whether the printed code is still used.
    const now = await api.qr_code_list.details({ id: code.id }).catch(() => code);
    const count = now.aliases.find(({ id }) => id === alias.id)?.visits ?? visits ?? 0;
    await confirm({
      title: t('qr_code.alias.remove_title', { key }),
      content: t('qr_code.alias.remove_help', { count }),
      confirm: 'common.remove',
      danger: true,
      run: () => removal.run({ id: code.id, alias_id: alias.id }),
    });
  }
  return (
    <li className="lc-code-line lc-code-alias">
      <span className="lc-code-line-state">
        <b>{remark || key}</b>
        {url === null ? (
          <Copyable value={key} code />
        ) : (
          <Copyable
            value={url}
            text={linkText(url, { host: code.entry_host, host_unicode: code.entry_host_unicode })}
            maximum={linkCharacters}
            code
          />
        )}
        {forward_path !== null && (
          <Status kind="warning" label="qr_code_list.forwarded" help={aliasForwarded(code, { key, path: forward_path }, t)} />
        )}
      </span>
      <span className="lc-code-line-left">
        <small className="lc-soft">
          {t('set_qr_code.target.visits')} <Num value={visits} />
        </small>
      </span>
      <span className="lc-code-line-acts">
        {url !== null && (
          <Button
            size="small"
            type="text"
            icon={<QrcodeOutlined />}
            aria-label={t('qr_code_list.qr_of', { name: key })}
            onClick={() => open({ kind: 'qr', alias })}
          />
        )}
        {may('edit') && (
          <>
            <Button
              size="small"
              type="text"
              icon={<EditOutlined />}
              aria-label={t('qr_code.alias.edit', { key })}
              onClick={() => open({ kind: 'form', alias })}
            />
            <Button size="small" type="text" aria-label={t('qr_code.alias.remove', { key })} onClick={() => void remove()}>
              {t('common.remove')}
            </Button>
          </>
        )}
      </span>
    </li>
  );
}

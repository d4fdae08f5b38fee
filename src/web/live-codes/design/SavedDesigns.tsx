import { DeleteOutlined, SaveOutlined, StarFilled, StarOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Space, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedDesign } from '../../../contract/codes/qr-design.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Failure } from '../../kit/feedback.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { type DesignProps, Group } from './controls.tsx';

/** Designs kept under a name: one's own and those that administrators share. One of them can be the look of new codes. */
export function SavedDesigns({ design, change, text }: DesignProps & { text: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { isAdministrator } = useSession();
  const saved = useCall(api.qr_design.inquire, {});
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const add = useAction(api.qr_design.add, { success: 'qr_design.saved' });
  const remove = useAction(api.qr_design.remove, { success: false });
  const choose = useAction(api.qr_design.choose, { success: 'qr_design.chosen' });
  const designs = saved.data?.content ?? [];

  async function keep() {
    const replaced = designs.some((kept) => kept.own && kept.name === name.trim());
    if (replaced && !(await confirm({ title: t('qr_design.replace', { name: name.trim() }), confirm: 'qr_design.keep' }))) return;
    if (await add.run({ name: name.trim(), design: toQrDesign(design), ...(isAdministrator ? { shared } : {}) })) setName('');
  }
  async function forget(kept: SavedDesign) {
    const question = {
      title: t('qr_design.remove_title', { name: kept.name }),
      content: 'qr_design.remove_content',
      confirm: 'common.remove',
      danger: true,
    };
    if (await confirm(question)) await remove.run({ ids: [kept.id] });
  }
  return (
    <Group title="qr_design.title">
      {!saved.data && saved.error && <Failure error={saved.error} retry={() => void saved.refetch()} isRetrying={saved.isFetching} />}
      {designs.length > 0 && (
        <ul className="lc-code-saved">
          {designs.map((kept) => (
            <SavedItem
              key={kept.id}
              kept={kept}
              text={text}
              use={() => change({ ...toQrDesign(kept.design), size: design.size })}
              choose={() => void choose.run({ id: kept.chosen ? null : kept.id })}
              forget={() => void forget(kept)}
            />
          ))}
        </ul>
      )}
      <Space.Compact className="lc-wide">
        <Input
          value={name}
          maxLength={40}
          placeholder={t('qr_design.name')}
          aria-label={t('qr_design.name')}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={() => name.trim() && saved.data && void keep()}
        />
        <Button icon={<SaveOutlined />} disabled={name.trim() === '' || !saved.data} loading={add.isRunning} onClick={() => void keep()}>
          {t('qr_design.keep')}
        </Button>
      </Space.Compact>
      {isAdministrator && (
        <Checkbox checked={shared} onChange={(event) => setShared(event.target.checked)}>
          {t('qr_design.shared')}
        </Checkbox>
      )}
    </Group>
  );
}

type SavedItemProps = { kept: SavedDesign; text: string; use: () => void; choose: () => void; forget: () => void };

function SavedItem({ kept, text, use, choose, forget }: SavedItemProps) {
  const { t } = useTranslation();
  const choosing = t(kept.chosen ? 'qr_design.unchoose' : 'qr_design.choose');
  return (
    <li>
      <button type="button" className="lc-code-preset" onClick={use}>
        <QrImage text={text} alt="" design={toQrDesign(kept.design)} width={56} className="lc-code-preset-image" />
        <span>{kept.name}</span>
      </button>
      <span className="lc-code-saved-acts">
        <Tooltip title={choosing}>
          <Button
            type="text"
            size="small"
            aria-label={choosing}
            aria-pressed={kept.chosen}
            icon={kept.chosen ? <StarFilled /> : <StarOutlined />}
            onClick={choose}
          />
        </Tooltip>
        {kept.own && (
          <Button type="text" size="small" aria-label={`${t('common.remove')} ${kept.name}`} icon={<DeleteOutlined />} onClick={forget} />
        )}
      </span>
    </li>
  );
}

import { DeleteOutlined, SaveOutlined, StarFilled, StarOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Space, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedDesign } from '../../../contract/codes/qr-design.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Failure } from '../../kit/feedback.ts';
import { toQrDesign } from '../../qr/drawing/design.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { type DesignProps, Group } from './controls.tsx';

/** Designs kept under a name: one's own and those that administrators share. One of them can be the look of new codes. */
export function SavedDesigns({ design, change, text }: DesignProps & { text: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const isAdministrator = ['super', 'administrator'].includes(useSession().user?.role.kind ?? '');
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
        <ul className="code-saved">
          {designs.map((kept) => (
            <li key={kept.id}>
              <button type="button" className="code-preset" onClick={() => change({ ...toQrDesign(kept.design), size: design.size })}>
                <QrImage text={text} alt="" design={toQrDesign(kept.design)} width={56} className="code-preset-image" />
                <span>{kept.name}</span>
              </button>
              <span className="code-saved-acts">
                <Tooltip title={t(kept.chosen ? 'qr_design.unchoose' : 'qr_design.choose')}>
                  <Button
                    type="text"
                    size="small"
                    aria-label={t(kept.chosen ? 'qr_design.unchoose' : 'qr_design.choose')}
                    aria-pressed={kept.chosen}
                    icon={kept.chosen ? <StarFilled /> : <StarOutlined />}
                    onClick={() => void choose.run({ id: kept.chosen ? null : kept.id })}
                  />
                </Tooltip>
                {kept.own && (
                  <Button
                    type="text"
                    size="small"
                    aria-label={`${t('common.remove')} ${kept.name}`}
                    icon={<DeleteOutlined />}
                    onClick={() => void forget(kept)}
                  />
                )}
              </span>
            </li>
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

import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CheckedIpData } from '../../../contract/visits/ip-data.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { placeWords } from './placeWords.ts';

type Props = { checked: CheckedIpData; family: 4 | 6; isUsing: boolean; use: () => Promise<void>; onClose: () => void };

/** What an uploaded list holds, and what it says of well-known addresses, before it is used. */
export function CheckedList({ checked: { file, samples }, family, isUsing, use, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const footer = (
    <div className="lc-form-footer">
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button type="primary" loading={isUsing} onClick={() => void use()}>
        {t('ip_data.use')}
      </Button>
    </div>
  );
  return (
    <Modal open className="lc-form-modal" title={t('ip_data.checked_title', { family })} centered onCancel={onClose} footer={footer}>
      <p className="lc-form-intro">
        {t('ip_data.checked', {
          name: file.name,
          date: file.made_at.slice(0, 10),
          segments: format.exact(file.segments),
          places: format.exact(file.places),
        })}
      </p>
      <div className="lc-panel-table">
        <table className="lc-figures lc-ip-samples">
          <thead>
            <tr>
              <th scope="col">{t('ip_data.sample')}</th>
              <th scope="col">{t('ip_data.sample_now')}</th>
              <th scope="col">{t('ip_data.sample_then')}</th>
            </tr>
          </thead>
          <tbody>
            {samples.map(({ ip, now, next }) => (
              <tr key={ip}>
                <th scope="row" className="lc-code">
                  {ip}
                </th>
                <td>{placeWords(now)}</td>
                <td>{placeWords(next)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="lc-soft lc-ip-effect">{t('ip_data.from_now_on')}</p>
    </Modal>
  );
}

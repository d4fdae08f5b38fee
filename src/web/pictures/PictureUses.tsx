import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OwnPicture } from '../../contract/content/image-configs.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Failure } from '../kit/feedback.ts';
import './pictures.css';

/** Where a picture is used. */
export function PictureUses({ picture, onClose }: { picture: OwnPicture; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(api.image_configs.uses, { id: picture.id });
  return (
    <Drawer open title={t('image_configs.uses')} size={480} onClose={onClose}>
      <img className="lc-picture-whole" src={picture.url} alt={picture.title || t('image_configs.picture')} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      <ul className="lc-picture-uses">
        {data?.content.map((use) => (
          <li key={`${use.kind} ${use.id} ${use.name}`}>
            <span className="lc-soft">{t(`image_configs.use_${use.kind}`)}</span>{' '}
            {use.live_code_id !== null && !use.removed ? (
              <Link to={`/customer/set_qr_code?id=${use.live_code_id}`}>{use.name}</Link>
            ) : (
              use.name || t('image_configs.of_another')
            )}
            {use.removed && <span className="lc-soft"> {t('image_configs.removed')}</span>}
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { OwnPicture } from '../../contract/content/image-configs.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
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
      <img className="lc-picture-whole" src={picture.url} alt={picture.title || t('common.field.picture')} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      <ul className="lc-picture-uses">
        {data?.content.map((use) => (
          <li key={`${use.kind} ${use.id} ${use.name}`}>
            <span className="lc-soft">{t(`image_configs.use_${use.kind}`)}</span>{' '}
            {use.live_code_id !== null && !use.removed ? (
              <CodeLink id={use.live_code_id} name={use.name} />
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

import { DeleteOutlined, LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxCovers } from '../../contract/content/mall-product-list.ts';
import { PictureField } from '../kit/form/PictureField.tsx';

type Picture = { id: number; url: string };
type Props = { id?: string; value?: number[]; onChange?: (value: number[]) => void; known: readonly Picture[] };

/** The pictures of a product in their order; the first one stands for it in lists. */
export function Covers({ id, value = [], onChange, known }: Props) {
  const { t } = useTranslation();
  const [uploaded, setUploaded] = useState<readonly Picture[]>([]);
  const urlOf = (file: number) => [...uploaded, ...known].find((picture) => picture.id === file)?.url;
  const forward = (at: number) => value.map((file, place) => (place === at - 1 ? value[at] : place === at ? value[at - 1] : file) ?? file);
  return (
    <div className="lc-mall-covers">
      {value.map((file, at) => (
        <figure key={file}>
          <img src={urlOf(file)} alt={t('mall_product_list.cover_number', { number: at + 1 })} />
          <figcaption>
            <Button
              type="text"
              size="small"
              icon={<LeftOutlined />}
              disabled={at === 0}
              aria-label={t('mall_product_list.cover_forward', { number: at + 1 })}
              onClick={() => onChange?.(forward(at))}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('mall_product_list.cover_remove', { number: at + 1 })}
              onClick={() => onChange?.(value.filter((other) => other !== file))}
            />
          </figcaption>
        </figure>
      ))}
      {value.length < maxCovers && (
        <PictureField
          {...(id === undefined ? {} : { id })}
          label={t('mall_product_list.covers')}
          pictureUrl={null}
          onUploaded={(file) => {
            setUploaded((before) => [...before, file]);
            onChange?.([...value, file.id]);
          }}
        />
      )}
    </div>
  );
}

import { createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { PictureField } from '../../kit/form/PictureField.tsx';

/** Where the picture that a platform has already is seen. */
export const SavedPicture = createContext<{ id: number | null; url: string | null }>({ id: null, url: null });

/** The picture of a page, kept as the upload's id. */
export function PagePicture({ id, value, onChange }: ControlProps<number | null>) {
  const { t } = useTranslation();
  const saved = useContext(SavedPicture);
  const [uploaded, setUploaded] = useState<{ id: number; url: string } | null>(null);
  const shown = [uploaded, saved].find((picture) => picture !== null && picture.id === value && value !== null);
  return (
    <PictureField
      id={id}
      label={t('common.field.picture')}
      pictureUrl={shown?.url ?? null}
      onUploaded={(file) => {
        setUploaded({ id: file.id, url: file.url });
        onChange?.(file.id);
      }}
      onRemoved={() => onChange?.(null)}
    />
  );
}

import { useState } from 'react';
import { PictureField } from './PictureField.tsx';

export type KnownPicture = { id: number; url: string } | null;

/** The picture of a row that may have none. */
export const knownPicture = (id: number | null | undefined, url: string | null | undefined): KnownPicture =>
  id && url ? { id, url } : null;

type UploadControlProps = {
  id?: string;
  value?: number | null;
  onChange?: (value: number | null) => void;
  onBlur?: () => void;
  /** The picture that the field holds at first. */
  known: KnownPicture;
  label: string;
  removable?: boolean;
};

/** A form field that holds the id of an uploaded picture, and shows it. */
export function UploadControl({ id, value, onChange, onBlur, known, label, removable = false }: UploadControlProps) {
  const [uploaded, setUploaded] = useState(known);
  const shown = uploaded?.id === value ? uploaded : known?.id === value ? known : null;
  /** The field has no blur of its own: what was wrong with it is looked at again as soon as it changes. */
  function choose(file: number | null) {
    onChange?.(file);
    onBlur?.();
  }
  return (
    <PictureField
      id={id}
      label={label}
      pictureUrl={shown?.url ?? null}
      onUploaded={(file) => {
        setUploaded(file);
        choose(file.id);
      }}
      onRemoved={removable ? () => choose(null) : undefined}
    />
  );
}

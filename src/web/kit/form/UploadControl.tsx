import { useState } from 'react';
import type { ControlProps } from './controls.tsx';
import { PictureField } from './PictureField.tsx';

type UploadControlProps = ControlProps<number | null> & {
  /** The picture that the field holds at first. */
  known: { id: number; url: string } | null;
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

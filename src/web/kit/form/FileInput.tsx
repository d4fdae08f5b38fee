import type { Ref } from 'react';

type FileInputProps = {
  /** A button clicks it to open the browser's choice of files. */
  ref: Ref<HTMLInputElement>;
  accept?: string;
  multiple?: boolean;
  onChosen: (files: File[]) => void;
};

/** Takes pictures, unless told otherwise, from a button that the caller draws. The same file can be chosen again. */
export function FileInput({ ref, accept = 'image/png,image/jpeg,image/webp,image/gif', multiple = false, onChosen }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple={multiple}
      accept={accept}
      style={{ display: 'none' }}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        event.target.value = '';
        onChosen(files);
      }}
    />
  );
}

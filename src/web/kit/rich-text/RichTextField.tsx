import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import type { ControlProps } from '../form/controls.tsx';

const RichTextEditor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }));

export type RichTextFieldProps = ControlProps<string> & {
  /** Names the field for those who don't see it: message key or text. */
  label: string;
  placeholder?: string;
  /** Height of the empty field in pixels. */
  height?: number;
};

/** A field for rich text; its editor is loaded when the first one is shown. */
export function RichTextField(props: RichTextFieldProps) {
  return (
    <Suspense fallback={<EditorLoading />}>
      <RichTextEditor {...props} />
    </Suspense>
  );
}

function EditorLoading() {
  return (
    <div className="lc-editor lc-editor-loading">
      <Skeleton active paragraph={{ rows: 6 }} />
    </div>
  );
}

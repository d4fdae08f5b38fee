import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import type { RichTextFieldProps } from './props.ts';

const RichTextEditor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }));

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

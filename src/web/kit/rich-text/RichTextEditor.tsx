import { EditorContent, useEditor } from '@tiptap/react';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';
import { extensionsWith } from './extensions.ts';
import type { RichTextFieldProps } from './props.ts';
import { Toolbar } from './Toolbar.tsx';
import { picturesIn, usePictureUpload } from './usePictureUpload.ts';
import './rich-text.css';

/** The editor itself. It holds what is typed; the form gets HTML, and an empty text where nothing is left. */
export function RichTextEditor({ id, value, onChange, onBlur, label, placeholder = '', height = 280 }: RichTextFieldProps) {
  const { t } = useTranslation();
  const text = useText();
  const told = useRef(value ?? '');
  const upload = usePictureUpload(() => editor);
  const latest = useRef({ onChange, onBlur, upload });
  latest.current = { onChange, onBlur, upload };

  const editor = useEditor({
    extensions: extensionsWith(placeholder ? text(placeholder) : ''),
    content: value ?? '',
    editorProps: {
      attributes: { class: 'lc-rich', role: 'textbox', 'aria-multiline': 'true', 'aria-label': text(label), ...(id ? { id } : {}) },
      handlePaste: (_view, event) => takePictures(event.clipboardData?.files),
      handleDrop: (_view, event, _slice, moved) => !moved && takePictures(event.dataTransfer?.files),
    },
    onUpdate({ editor: changed }) {
      told.current = changed.isEmpty ? '' : changed.getHTML();
      latest.current.onChange?.(told.current);
    },
    onBlur: () => latest.current.onBlur?.(),
  });

  function takePictures(files: FileList | undefined): boolean {
    const pictures = picturesIn(files);
    if (pictures.length > 0) void latest.current.upload.insert(pictures);
    return pictures.length > 0;
  }

  // What comes from outside (a loaded row, a reset form) replaces the text; what comes back from here is known already.
  useEffect(() => {
    if ((value ?? '') === told.current) return;
    told.current = value ?? '';
    editor.commands.setContent(told.current, { emitUpdate: false });
  }, [value, editor]);

  return (
    <div className="lc-editor" style={{ '--lc-editor-height': `${height}px` } as CSSProperties}>
      <Toolbar editor={editor} upload={upload} />
      <EditorContent editor={editor} />
      <p className="lc-editor-state" aria-live="polite">
        {upload.share !== null && t('rich_text.uploading', { percent: Math.round(upload.share * 100) })}
      </p>
      {upload.failure && (
        <p className="lc-editor-state lc-editor-fault" role="alert">
          {upload.failure}
        </p>
      )}
    </div>
  );
}

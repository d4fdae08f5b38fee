import { FontSizeOutlined, LinkOutlined } from '@ant-design/icons';
import { type Editor, useEditorState } from '@tiptap/react';
import { Button, Input, Popover, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { richLink } from '../../../contract/kit/rich-text.ts';

type TextToolProps = {
  icon: ReactNode;
  title: string;
  placeholder: string;
  isActive: boolean;
  /** What the field holds when it opens. */
  read: () => string;
  /** Answers what is wrong with the text, or applies it. */
  apply: (text: string) => string | undefined;
  remove?: () => void;
};

/** A tool that asks for one line of text. */
function TextTool({ icon, title, placeholder, isActive, read, apply, remove }: TextToolProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | undefined>();

  function open(next: boolean) {
    setIsOpen(next);
    setFault(undefined);
    if (next) setText(read());
  }
  function send() {
    const wrong = apply(text.trim());
    setFault(wrong);
    if (!wrong) setIsOpen(false);
  }

  const content = (
    <>
      <div className="lc-editor-popover">
        <Input
          autoFocus
          aria-label={title}
          value={text}
          placeholder={placeholder}
          status={fault ? 'error' : undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // The form around the editor must not take the key for its own.
            if (event.key === 'Enter') event.preventDefault();
          }}
          onPressEnter={send}
        />
        <Button type="primary" onClick={send}>
          {t('common.ok')}
        </Button>
        {remove && (
          <Button
            onClick={() => {
              remove();
              setIsOpen(false);
            }}
          >
            {t('common.remove')}
          </Button>
        )}
      </div>
      {fault && (
        <p className="lc-editor-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
  return (
    <Popover open={isOpen} onOpenChange={open} trigger="click" placement="bottom" content={content} destroyOnHidden>
      <Tooltip title={isOpen ? '' : title}>
        <Button type="text" size="small" icon={icon} aria-label={title} aria-pressed={isActive} aria-expanded={isOpen} />
      </Tooltip>
    </Popover>
  );
}

/** A web address without its scheme gets one. */
const withScheme = (text: string): string => (/^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text) ? `https://${text}` : text);

/** Links the selection, or writes the address where nothing is selected. */
export function LinkTool({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const isActive = useEditorState({ editor, selector: ({ editor: current }) => current.isActive('link') });

  function apply(typed: string): string | undefined {
    const href = withScheme(typed);
    if (!richLink.test(href)) return t('rich_text.link_fault');
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !isActive)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.extendMarkRange('link').setLink({ href }).run();
    return undefined;
  }
  return (
    <TextTool
      icon={<LinkOutlined />}
      title={t('rich_text.tool.link')}
      placeholder="https://example.com"
      isActive={isActive}
      read={() => String(editor.getAttributes('link').href ?? '')}
      apply={apply}
      remove={isActive ? () => editor.chain().focus().extendMarkRange('link').unsetLink().run() : undefined}
    />
  );
}

/** The words that stand for the selected picture where it can't be seen. */
export function PictureTextTool({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  return (
    <TextTool
      icon={<FontSizeOutlined />}
      title={t('rich_text.tool.picture_text')}
      placeholder={t('rich_text.picture_text_placeholder')}
      isActive={false}
      read={() => String(editor.getAttributes('image').alt ?? '')}
      apply={(alt) => {
        editor.chain().focus().updateAttributes('image', { alt }).run();
        return undefined;
      }}
    />
  );
}

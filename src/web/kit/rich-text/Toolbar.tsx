import {
  AlignCenterOutlined,
  AlignLeftOutlined,
  AlignRightOutlined,
  BoldOutlined,
  ClearOutlined,
  CodeOutlined,
  ItalicOutlined,
  OrderedListOutlined,
  PictureOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react';
import { Button, Select, Tooltip } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FileInput } from '../form/FileInput.tsx';
import { LinkTool, PictureTextTool } from './tools.tsx';
import { type PictureUpload, picturesIn } from './usePictureUpload.ts';

type Tool = {
  name: string;
  icon: ReactNode;
  run: (chain: ChainedCommands) => ChainedCommands;
  /** Whether the selection has it already; tools without one are single acts. */
  isActive?: (editor: Editor) => boolean;
  isPossible?: (editor: Editor) => boolean;
};

const glyph = (character: string) => <span className="lc-editor-glyph">{character}</span>;

const history: readonly Tool[] = [
  { name: 'undo', icon: <UndoOutlined />, run: (chain) => chain.undo(), isPossible: (editor) => editor.can().undo() },
  { name: 'redo', icon: <RedoOutlined />, run: (chain) => chain.redo(), isPossible: (editor) => editor.can().redo() },
];
const marks: readonly Tool[] = [
  { name: 'bold', icon: <BoldOutlined />, run: (chain) => chain.toggleBold(), isActive: (editor) => editor.isActive('bold') },
  { name: 'italic', icon: <ItalicOutlined />, run: (chain) => chain.toggleItalic(), isActive: (editor) => editor.isActive('italic') },
  {
    name: 'underline',
    icon: <UnderlineOutlined />,
    run: (chain) => chain.toggleUnderline(),
    isActive: (editor) => editor.isActive('underline'),
  },
  {
    name: 'strike',
    icon: <StrikethroughOutlined />,
    run: (chain) => chain.toggleStrike(),
    isActive: (editor) => editor.isActive('strike'),
  },
];
const blocks: readonly Tool[] = [
  {
    name: 'bullets',
    icon: <UnorderedListOutlined />,
    run: (chain) => chain.toggleBulletList(),
    isActive: (editor) => editor.isActive('bulletList'),
  },
  {
    name: 'numbers',
    icon: <OrderedListOutlined />,
    run: (chain) => chain.toggleOrderedList(),
    isActive: (editor) => editor.isActive('orderedList'),
  },
  { name: 'quote', icon: glyph('”'), run: (chain) => chain.toggleBlockquote(), isActive: (editor) => editor.isActive('blockquote') },
  { name: 'code', icon: <CodeOutlined />, run: (chain) => chain.toggleCodeBlock(), isActive: (editor) => editor.isActive('codeBlock') },
  { name: 'line', icon: glyph('—'), run: (chain) => chain.setHorizontalRule() },
];
const alignment: readonly Tool[] = [
  {
    name: 'left',
    icon: <AlignLeftOutlined />,
    run: (chain) => chain.align(null),
    isActive: (editor) => !editor.isActive({ align: 'center' }) && !editor.isActive({ align: 'right' }),
  },
  {
    name: 'center',
    icon: <AlignCenterOutlined />,
    run: (chain) => chain.align('center'),
    isActive: (editor) => editor.isActive({ align: 'center' }),
  },
  {
    name: 'right',
    icon: <AlignRightOutlined />,
    run: (chain) => chain.align('right'),
    isActive: (editor) => editor.isActive({ align: 'right' }),
  },
];
const clear: readonly Tool[] = [{ name: 'clear', icon: <ClearOutlined />, run: (chain) => chain.unsetAllMarks().clearNodes() }];

const headings = [2, 3, 4] as const;
const groups = [history, marks, blocks, alignment, clear] as const;
const everyTool = groups.flat();

/** Which tools the selection has, which are possible, and how large its text is: the toolbar follows only these. */
const stateOf = (editor: Editor) => ({
  active: everyTool.filter((tool) => tool.isActive?.(editor)).map((tool) => tool.name),
  impossible: everyTool.filter((tool) => tool.isPossible && !tool.isPossible(editor)).map((tool) => tool.name),
  heading: headings.find((level) => editor.isActive('heading', { level })) ?? 0,
  isPicture: editor.isActive('image'),
});

export function Toolbar({ editor, upload }: { editor: Editor; upload: PictureUpload }) {
  const { t } = useTranslation();
  const state = useEditorState({ editor, selector: ({ editor: current }) => stateOf(current) });
  const input = useRef<HTMLInputElement>(null);

  const button = (tool: Tool) => (
    <Tooltip key={tool.name} title={t(`rich_text.tool.${tool.name}`)}>
      <Button
        type="text"
        size="small"
        icon={tool.icon}
        aria-label={t(`rich_text.tool.${tool.name}`)}
        aria-pressed={tool.isActive ? state.active.includes(tool.name) : undefined}
        disabled={state.impossible.includes(tool.name)}
        onClick={() => tool.run(editor.chain().focus()).run()}
      />
    </Tooltip>
  );
  const gap = <span className="lc-editor-gap" aria-hidden />;

  return (
    <div className="lc-editor-tools" role="toolbar" aria-label={t('rich_text.toolbar')}>
      {history.map(button)}
      {gap}
      <Select
        className="lc-editor-heading"
        size="small"
        variant="borderless"
        aria-label={t('rich_text.heading.title')}
        value={state.heading}
        popupMatchSelectWidth={false}
        options={[0, ...headings].map((level) => ({ value: level, label: t(`rich_text.heading.${level}`) }))}
        onChange={(level) => {
          const chain = editor.chain().focus();
          const chosen = headings.find((heading) => heading === level);
          (chosen ? chain.setHeading({ level: chosen }) : chain.setParagraph()).run();
        }}
      />
      {gap}
      {marks.map(button)}
      <LinkTool editor={editor} />
      {gap}
      {blocks.map(button)}
      {gap}
      {alignment.map(button)}
      {gap}
      <Tooltip title={t('rich_text.tool.picture')}>
        <Button
          type="text"
          size="small"
          icon={<PictureOutlined />}
          aria-label={t('rich_text.tool.picture')}
          loading={upload.share !== null}
          onClick={() => input.current?.click()}
        />
      </Tooltip>
      <FileInput ref={input} multiple onChosen={(files) => void upload.insert(picturesIn(files))} />
      {state.isPicture && <PictureTextTool editor={editor} />}
      {gap}
      {clear.map(button)}
    </div>
  );
}

import { CloseOutlined, SearchOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { Modal } from '../dialogs/dialogs.tsx';
import { type Command, useCommands } from './useCommands.tsx';
import './palette.css';

const maxTextLength = 300;
/** As keyboards print it, in every language. */
const escapeKey = 'Esc';

/** Finds screens, codes and domains by what is typed, and acts on them; all of it by keyboard. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Modal
      open={isOpen}
      onCancel={onClose}
      footer={null}
      closable={false}
      width={640}
      className="lc-palette"
      title={<span className="lc-unseen">{t('command.title')}</span>}
      destroyOnHidden
      afterOpenChange={(open) => open && input.current?.focus()}
    >
      <Search input={input} onClose={onClose} />
    </Modal>
  );
}

const optionId = (list: string, command: Command | undefined) =>
  command ? `${list}-${command.key.replaceAll(/[^\w-]/g, '-')}` : undefined;

/** What was typed, the commands found for it, and which of them is marked; keys move the mark and choose. */
function useSearch(onClose: () => void) {
  const id = useId();
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const { groups, isSearching, error } = useCommands(text);
  const commands = groups.flatMap((group) => group.commands);
  const present = Math.min(marked, commands.length - 1);
  const presentId = optionId(id, commands[present]);

  useEffect(() => {
    if (presentId) document.getElementById(presentId)?.scrollIntoView({ block: 'nearest' });
  }, [presentId]);

  function choose(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }

  function search(typed: string) {
    setText(typed);
    setMarked(0);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter ends the choice of a Chinese word first.
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setMarked((present + step + commands.length) % Math.max(1, commands.length));
    else if (event.key === 'Home' && event.ctrlKey) setMarked(0);
    else if (event.key === 'Enter') choose(commands[present]);
    else return;
    event.preventDefault();
  }

  const mark = (command: Command) => setMarked(commands.indexOf(command));
  return { id, text, search, groups, isSearching, error, present: commands[present], presentId, mark, choose, onKeyDown };
}

function Search({ input, onClose }: { input: React.RefObject<HTMLInputElement | null>; onClose: () => void }) {
  const { t } = useTranslation();
  const { id, text, search, groups, isSearching, error, present, presentId, mark, choose, onKeyDown } = useSearch(onClose);
  return (
    <>
      <div className="lc-palette-input">
        <SearchOutlined aria-hidden />
        <input
          ref={input}
          value={text}
          maxLength={maxTextLength}
          placeholder={t('command.placeholder')}
          aria-label={t('command.placeholder')}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={presentId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => search(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isSearching ? <Spin size="small" /> : <kbd>{escapeKey}</kbd>}
        <Button type="text" className="lc-palette-close" icon={<CloseOutlined />} aria-label={t('common.close')} onClick={onClose} />
      </div>
      <Results id={id} groups={groups} present={present} mark={mark} choose={choose} />
      {error ? (
        <p className="lc-palette-none" role="alert">
          {failureText(error)}
        </p>
      ) : (
        !present && <p className="lc-palette-none">{t(isSearching ? 'common.requesting' : 'common.nothing_found')}</p>
      )}
      <p className="lc-palette-keys" aria-hidden>
        <kbd>↑</kbd> <kbd>↓</kbd> {t('command.key_move')} <kbd>↵</kbd> {t('command.key_choose')} <span>{t('command.example')}</span>
      </p>
    </>
  );
}

type ResultsProps = {
  id: string;
  groups: ReturnType<typeof useCommands>['groups'];
  present: Command | undefined;
  mark: (command: Command) => void;
  choose: (command: Command) => void;
};

function Results({ id, groups, present, mark, choose }: ResultsProps) {
  const { t } = useTranslation();
  return (
    <div className="lc-palette-list" id={`${id}-list`} role="listbox" aria-label={t('command.results')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options.
        <div key={group.key} role="group" aria-label={t(`command.group_${group.key}`)}>
          <div className="lc-palette-group" aria-hidden>
            {t(`command.group_${group.key}`)}
          </div>
          {group.commands.map((command) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text box, which keeps the focus.
            <div
              key={command.key}
              id={optionId(id, command)}
              role="option"
              tabIndex={-1}
              aria-selected={command === present}
              className="lc-palette-option"
              onMouseMove={() => mark(command)}
              onClick={() => choose(command)}
            >
              {command.icon}
              <span className="lc-palette-title">{command.title}</span>
              {command.hint && <span className="lc-palette-hint">{command.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

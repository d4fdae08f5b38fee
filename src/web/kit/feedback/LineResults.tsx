import { App, Button, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../dialogs/dialogs.tsx';
import { useIsPhone } from '../look/media.ts';
import { Status, type StatusKind } from './Status.tsx';

type Added<State extends string> = { added: number; results: readonly { line: string; state: State }[] };

type LinesOptions<State extends string> = {
  /** Its texts `added`, `results_summary` and `line_{state}` go before those of `common.lines`. */
  screen: string;
  kinds: Record<State, StatusKind>;
  onClose?: () => void;
  /** Takes the lines at fault back into the form, to be corrected there. */
  correct?: (lines: string[]) => void;
};

const wordsOf = (screen: string, name: string): string[] => [`${screen}.${name}`, `common.lines.${name}`];

/** Tells what became of typed lines: in a word where all were added, else one by one in `dialog`; `onClose` follows when it is told. */
export function useLineResults<State extends string>({ onClose, correct, ...options }: LinesOptions<State>) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [added, setAdded] = useState<Added<State> | null>(null);
  function show(output: Added<State>) {
    if (output.results.some(({ state }) => state !== 'added')) return setAdded(output);
    void message.success(t(wordsOf(options.screen, 'added'), { number: output.added }));
    onClose?.();
  }
  function close() {
    setAdded(null);
    onClose?.();
  }
  const takeBack =
    correct &&
    ((lines: string[]) => {
      setAdded(null);
      correct(lines);
    });
  const dialog = added && <LineResults {...options} added={added} onClose={close} {...(takeBack && { correct: takeBack })} />;
  return { show, isOpen: added !== null, dialog };
}

type Props<State extends string> = LinesOptions<State> & { added: Added<State> };

/** What became of the typed lines that were not simply added. */
function LineResults<State extends string>({ added, screen, kinds, onClose, correct }: Props<State>) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const state = (row: { state: State }) => <Status kind={kinds[row.state]} label={t(wordsOf(screen, `line_${row.state}`))} />;
  const rows = added.results.map((result, at) => ({ result, at: at + 1 })).filter(({ result }) => result.state !== 'added');
  const faulty = rows.filter(({ result }) => kinds[result.state] === 'error').map(({ result }) => result.line);
  const footer = (
    <>
      {correct && faulty.length > 0 && (
        <Button type="primary" onClick={() => correct(faulty)}>
          {t('common.lines.correct', { number: faulty.length })}
        </Button>
      )}
      <Button type={correct && faulty.length > 0 ? 'default' : 'primary'} onClick={onClose}>
        {t('common.close')}
      </Button>
    </>
  );
  return (
    <Modal open title={t('common.lines.results')} centered onCancel={onClose} footer={footer}>
      <p className="lc-form-intro">{t(wordsOf(screen, 'results_summary'), { lines: added.results.length, number: added.added })}</p>
      <Table
        size="small"
        rowKey="at"
        dataSource={rows}
        pagination={rows.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
        scroll={{ y: '45vh' }}
        columns={[
          { key: 'at', dataIndex: 'at', title: '#', width: 60, align: 'right' },
          {
            key: 'line',
            title: t('common.field.line'),
            ellipsis: true,
            render: (_, { result }) => (
              <>
                <div className="lc-code lc-cut" title={result.line}>
                  {result.line}
                </div>
                {isPhone && state(result)}
              </>
            ),
          },
          ...(isPhone
            ? []
            : [
                {
                  key: 'state',
                  title: t('common.field.result'),
                  width: 270,
                  render: (_: unknown, { result }: (typeof rows)[number]) => state(result),
                },
              ]),
        ]}
      />
    </Modal>
  );
}

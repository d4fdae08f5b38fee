import { DownloadOutlined } from '@ant-design/icons';
import { Alert, App, Button, Checkbox, Input, InputNumber, Progress, Select } from 'antd';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QrTextError } from '../../qr/matrix.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Art } from '../kit/look/art/Art.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { safeFileName, saveBlob } from './download.ts';
import { QrLogoError } from './drawing/canvas.ts';
import { SheetPreview } from './SheetPreview.tsx';
import type { PrintItem } from './sheet/items.ts';
import { gridFault, maxLabels, pagesOf, type SheetGrid, type SheetPreset, sheetLimits, sheetPresets } from './sheet/layout.ts';
import { renderSheet, type SheetLabel, type SheetOptions } from './sheet/sheet.ts';
import './sheet.css';

export type { PrintItem } from './sheet/items.ts';

type PrintSheetProps = { items: readonly PrintItem[] /** The name of the file. */; name: string; onClose: () => void };

type Limits = { min: number; max: number };
type Choice = { preset: SheetPreset | 'custom'; options: SheetOptions; shown: readonly number[]; own: string };

const firstChoice: Choice = {
  preset: 'a4_3x8',
  options: { grid: sheetPresets.a4_3x8, copies: 1, skipped: 0, text_size: 3, cut_marks: false },
  shown: [0],
  own: '',
};
// The choice of this visit is kept: sheets are printed one after the other on the same labels.
let lastChoice = firstChoice;

/** The figures of a sheet of one's own, each with its limits. */
const gridFigures = {
  page_width: sheetLimits.page,
  page_height: sheetLimits.page,
  columns: sheetLimits.count,
  rows: sheetLimits.count,
  label_width: sheetLimits.label,
  label_height: sheetLimits.label,
  margin_left: sheetLimits.space,
  margin_top: sheetLimits.space,
  gap_x: sheetLimits.space,
  gap_y: sheetLimits.space,
} as const satisfies Record<keyof SheetGrid, Limits>;

/** Draws the file piece by piece and saves it; `drawn` labels are done, null while nothing is drawn. */
function useSheetFile(labels: readonly SheetLabel[], options: SheetOptions, name: string) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [drawn, setDrawn] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  async function save() {
    const controller = new AbortController();
    abort.current = controller;
    setDrawn(0);
    try {
      const { browserPainter } = await import('./sheet/painter.ts');
      const file = await renderSheet(labels, options, { painter: browserPainter, tell: setDrawn, signal: controller.signal });
      saveBlob(file, safeFileName(name, 'pdf'));
    } catch (error) {
      if (controller.signal.aborted) return;
      const key = error instanceof QrLogoError ? 'logo_unreadable' : error instanceof QrTextError ? 'text_too_long' : 'unknown';
      void message.error(t(`qr_code_list.design.faults.${key}`));
    } finally {
      setDrawn(null);
    }
  }
  return { drawn, save, stop: () => abort.current?.abort() };
}

/** Lays codes on sheets of labels, shows the first sheet, and saves them all as a PDF file. */
export function PrintSheetDialog({ items, name, onClose }: PrintSheetProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const counted = (words: string, number: number) => t(words, { number: format.exact(number), count: number });
  const [choice, setChoice] = useState(lastChoice);
  const { preset, options, shown, own } = choice;
  const { grid } = options;
  const fault = gridFault(grid);
  const total = items.length * options.copies;
  const labels = useMemo(
    () => items.map(({ content, design, lines }) => ({ content, design, lines: [...shown.map((at) => lines[at]?.text ?? ''), own] })),
    [items, shown, own],
  );
  const { drawn, save, stop } = useSheetFile(labels, options, name);
  const change = (part: Partial<Choice>) => setChoice((present) => (lastChoice = { ...present, ...part }));

  const footer = (
    <div className="lc-form-footer">
      <span className="lc-sheet-total lc-soft lc-num">
        {t('print_sheet.total', {
          labels: counted('print_sheet.label_count', total),
          pages: counted('print_sheet.page_count', pagesOf(total, grid, options.skipped)),
        })}
      </span>
      {drawn !== null && <Progress className="lc-sheet-progress" percent={Math.floor((drawn / Math.max(1, total)) * 100)} size="small" />}
      <Button onClick={drawn === null ? onClose : stop}>{t('common.cancel')}</Button>
      <Button
        type="primary"
        icon={<DownloadOutlined />}
        loading={drawn !== null}
        disabled={fault !== undefined || total > maxLabels || items.length === 0}
        onClick={() => void save()}
      >
        {t('print_sheet.save')}
      </Button>
    </div>
  );
  return (
    <Modal
      open
      className="lc-form-modal"
      title={
        items.length === 1
          ? t('print_sheet.title_one', { name: items[0]?.lines[0]?.text })
          : t('print_sheet.title', { labels: format.exact(items.length) })
      }
      centered
      onCancel={onClose}
      footer={footer}
    >
      <div className="lc-sheet">
        <div className="lc-sheet-controls">
          <CopiesField choice={choice} change={change} isOne={items.length === 1} />
          <SheetFields choice={choice} change={change} />
          {fault && <Alert type="error" showIcon title={t(`print_sheet.fault.${fault}`)} />}
          {total > maxLabels && (
            <Alert type="error" showIcon title={t('print_sheet.fault.too_many', { labels: format.exact(maxLabels) })} />
          )}
          <LabelFields choice={choice} change={change} names={items[0]?.lines.map(({ label }) => label) ?? []} />
          <p className="lc-soft lc-sheet-help">{t('print_sheet.help')}</p>
          {preset !== 'custom' && <Art name="print" className="lc-sheet-art" />}
        </div>
        {!fault && <SheetPreview labels={labels} options={options} />}
      </div>
    </Modal>
  );
}

type FieldsProps = { choice: Choice; change: (part: Partial<Choice>) => void };

/** How many labels each code gets. Of one code it is what one came for. */
function CopiesField({ choice: { options }, change, isOne }: FieldsProps & { isOne: boolean }) {
  return (
    <Figure
      of={isOne ? 'labels' : 'copies'}
      limits={sheetLimits.copies}
      whole
      isFirst={isOne}
      value={options.copies}
      onChange={(copies) => change({ options: { ...options, copies } })}
    />
  );
}

/** The sheet: one that is sold, or its measures. */
function SheetFields({ choice: { preset, options }, change }: FieldsProps) {
  const { t } = useTranslation();
  const choose = (value: Choice['preset']) =>
    change(value === 'custom' ? { preset: value } : { preset: value, options: { ...options, grid: sheetPresets[value], skipped: 0 } });
  return (
    <>
      <Row label="print_sheet.sheet">
        <Select
          className="lc-wide"
          aria-label={t('print_sheet.sheet')}
          value={preset}
          options={[...(Object.keys(sheetPresets) as SheetPreset[]), 'custom' as const].map((value) => ({
            value,
            label: t(`print_sheet.preset.${value}`),
          }))}
          onChange={choose}
        />
      </Row>
      {preset === 'custom' && (
        <div className="lc-sheet-grid">
          {(Object.keys(gridFigures) as (keyof SheetGrid)[]).map((key) => (
            <Figure
              key={key}
              of={key}
              limits={gridFigures[key]}
              whole={gridFigures[key] === sheetLimits.count}
              value={options.grid[key]}
              onChange={(value) => change({ options: { ...options, grid: { ...options.grid, [key]: value } } })}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** What stands on the labels, and where they begin. */
function LabelFields({ choice: { options, shown, own }, change, names }: FieldsProps & { names: readonly string[] }) {
  const { t } = useTranslation();
  const set = (part: Partial<SheetOptions>) => change({ options: { ...options, ...part } });
  const lastPlace = options.grid.columns * options.grid.rows - 1;
  return (
    <>
      <Row label="print_sheet.lines">
        <Checkbox.Group
          value={[...shown]}
          options={names.map((label, value) => ({ value, label: t(label) }))}
          onChange={(values) => change({ shown: [...values].sort((one, other) => one - other) })}
        />
        <Input
          value={own}
          maxLength={60}
          placeholder={t('print_sheet.own')}
          aria-label={t('print_sheet.own')}
          onChange={(event) => change({ own: event.target.value })}
        />
      </Row>
      <div className="lc-sheet-grid">
        <Figure of="text_size" limits={sheetLimits.text} value={options.text_size} onChange={(text_size) => set({ text_size })} />
        <Figure of="skipped" limits={{ min: 0, max: lastPlace }} whole value={options.skipped} onChange={(skipped) => set({ skipped })} />
      </div>
      <Checkbox checked={options.cut_marks} onChange={(event) => set({ cut_marks: event.target.checked })}>
        {t('print_sheet.cut_marks')}
      </Checkbox>
    </>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <fieldset className="lc-sheet-row">
      <legend>{t(label)}</legend>
      {children}
    </fieldset>
  );
}

type FigureProps = {
  of: string;
  value: number;
  limits: Limits;
  whole?: boolean;
  /** Has the focus when the dialog opens. */
  isFirst?: boolean;
  onChange: (value: number) => void;
};

/** A length in millimetres, or a whole number. */
function Figure({ of: length, value, limits, whole = false, isFirst = false, onChange }: FigureProps) {
  const { t } = useTranslation();
  return (
    // The label names the control that it stands around.
    // biome-ignore lint/a11y/noLabelWithoutControl: the number field is the control.
    <label className="lc-sheet-figure">
      <span>{t(`print_sheet.${length}`)}</span>
      <InputNumber
        className="lc-wide"
        autoFocus={isFirst}
        {...(isFirst ? { onFocus: (event) => event.target.select() } : {})}
        value={value}
        min={limits.min}
        max={limits.max}
        step={whole ? 1 : 0.5}
        precision={whole ? 0 : 2}
        suffix={whole ? undefined : 'mm'}
        onChange={(changed) => changed !== null && onChange(changed)}
      />
    </label>
  );
}

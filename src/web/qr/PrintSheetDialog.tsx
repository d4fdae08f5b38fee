import { DownloadOutlined } from '@ant-design/icons';
import { Alert, App, Button, Checkbox, Input, InputNumber, Progress, Select } from 'antd';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { safeFileName, saveBlob } from './download.ts';
import { QrLogoError } from './drawing/canvas.ts';
import { QrTextError } from './drawing/matrix.ts';
import { SheetPreview } from './SheetPreview.tsx';
import type { PrintItem } from './sheet/items.ts';
import { gridFault, mostLabels, pagesOf, type SheetGrid, type SheetPreset, sheetLimits, sheetPresets } from './sheet/layout.ts';
import { renderSheet, type SheetOptions } from './sheet/sheet.ts';
import './sheet.css';

export type { PrintItem } from './sheet/items.ts';

type PrintSheetProps = { items: readonly PrintItem[] /** The name of the file. */; name: string; onClose: () => void };

type Choice = { preset: SheetPreset | 'custom'; options: SheetOptions; shown: readonly number[]; own: string };

const firstChoice: Choice = {
  preset: 'a4_3x8',
  options: { grid: sheetPresets.a4_3x8, copies: 1, skipped: 0, text_size: 3, cut_marks: false },
  shown: [0],
  own: '',
};
// The choice of this visit is kept: sheets are printed one after the other on the same labels.
let lastChoice = firstChoice;

/** Lays codes on sheets of labels, shows the first sheet, and saves them all as a PDF file that is drawn piece by piece. */
export function PrintSheetDialog({ items, name, onClose }: PrintSheetProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const format = useFormat();
  const [choice, setChoice] = useState(lastChoice);
  const [drawn, setDrawn] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const { options, preset, shown, own } = choice;
  const { grid } = options;
  const fault = gridFault(grid);
  const total = items.length * options.copies;
  const pages = pagesOf(total, grid, options.skipped);
  const names = items[0]?.lines.map(({ label }) => label) ?? [];

  const change = (part: Partial<Choice>) => setChoice((present) => (lastChoice = { ...present, ...part }));
  const set = (part: Partial<SheetOptions>) => change({ options: { ...options, ...part } });
  const setGrid = (part: Partial<SheetGrid>) => change({ preset: 'custom', options: { ...options, grid: { ...grid, ...part } } });
  const labels = useMemo(
    () =>
      items.map((item) => ({
        content: item.content,
        design: item.design,
        lines: [...shown.map((at) => item.lines[at]?.text ?? ''), own],
      })),
    [items, shown, own],
  );

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

  return (
    <Modal
      open
      className="lc-form-modal"
      title={t('print_sheet.title', { labels: format.exact(items.length) })}
      width="min(96%, 980px)"
      centered
      onCancel={onClose}
      footer={
        <div className="lc-form-footer">
          <span className="sheet-total lc-soft lc-num">
            {t('print_sheet.total', { labels: format.exact(total), pages: format.exact(pages) })}
          </span>
          {drawn !== null && <Progress className="sheet-progress" percent={Math.floor((drawn / Math.max(1, total)) * 100)} size="small" />}
          <Button onClick={() => (drawn === null ? onClose() : abort.current?.abort())}>{t('common.cancel')}</Button>
          <Button
            type="primary"
            icon={<DownloadOutlined />}
            loading={drawn !== null}
            disabled={fault !== undefined || total > mostLabels || items.length === 0}
            onClick={() => void save()}
          >
            {t('print_sheet.save')}
          </Button>
        </div>
      }
    >
      <div className="sheet">
        <div className="sheet-controls">
          <Row label="print_sheet.sheet">
            <Select
              className="lc-wide"
              aria-label={t('print_sheet.sheet')}
              value={preset}
              options={[...(Object.keys(sheetPresets) as SheetPreset[]), 'custom' as const].map((value) => ({
                value,
                label: t(`print_sheet.preset.${value}`),
              }))}
              onChange={(value: Choice['preset']) =>
                change(
                  value === 'custom'
                    ? { preset: value }
                    : { preset: value, options: { ...options, grid: sheetPresets[value], skipped: 0 } },
                )
              }
            />
          </Row>
          {preset === 'custom' && (
            <div className="sheet-grid">
              <Figure
                of="page_width"
                limits={sheetLimits.page}
                value={grid.page_width}
                onChange={(page_width) => setGrid({ page_width })}
              />
              <Figure
                of="page_height"
                limits={sheetLimits.page}
                value={grid.page_height}
                onChange={(page_height) => setGrid({ page_height })}
              />
              <Figure of="columns" limits={sheetLimits.count} whole value={grid.columns} onChange={(columns) => setGrid({ columns })} />
              <Figure of="rows" limits={sheetLimits.count} whole value={grid.rows} onChange={(rows) => setGrid({ rows })} />
              <Figure
                of="label_width"
                limits={sheetLimits.label}
                value={grid.label_width}
                onChange={(label_width) => setGrid({ label_width })}
              />
              <Figure
                of="label_height"
                limits={sheetLimits.label}
                value={grid.label_height}
                onChange={(label_height) => setGrid({ label_height })}
              />
              <Figure
                of="margin_left"
                limits={sheetLimits.space}
                value={grid.margin_left}
                onChange={(margin_left) => setGrid({ margin_left })}
              />
              <Figure
                of="margin_top"
                limits={sheetLimits.space}
                value={grid.margin_top}
                onChange={(margin_top) => setGrid({ margin_top })}
              />
              <Figure of="gap_x" limits={sheetLimits.space} value={grid.gap_x} onChange={(gap_x) => setGrid({ gap_x })} />
              <Figure of="gap_y" limits={sheetLimits.space} value={grid.gap_y} onChange={(gap_y) => setGrid({ gap_y })} />
            </div>
          )}
          {fault && <Alert type="error" showIcon title={t(`print_sheet.fault.${fault}`)} />}
          {total > mostLabels && (
            <Alert type="error" showIcon title={t('print_sheet.fault.too_many', { labels: format.exact(mostLabels) })} />
          )}
          <Row label="print_sheet.lines">
            <Checkbox.Group
              value={[...shown]}
              options={names.map((label, value) => ({ value, label: t(label) }))}
              onChange={(values) => change({ shown: [...values].sort((one, other) => one - other) })}
            />
            <Input
              className="sheet-own"
              value={own}
              maxLength={60}
              placeholder={t('print_sheet.own')}
              aria-label={t('print_sheet.own')}
              onChange={(event) => change({ own: event.target.value })}
            />
          </Row>
          <div className="sheet-grid">
            <Figure of="text_size" limits={sheetLimits.text} value={options.text_size} onChange={(text_size) => set({ text_size })} />
            <Figure of="copies" limits={sheetLimits.copies} whole value={options.copies} onChange={(copies) => set({ copies })} />
            <Figure
              of="skipped"
              limits={{ min: 0, max: grid.columns * grid.rows - 1 }}
              whole
              value={options.skipped}
              onChange={(skipped) => set({ skipped })}
            />
          </div>
          <Checkbox checked={options.cut_marks} onChange={(event) => set({ cut_marks: event.target.checked })}>
            {t('print_sheet.cut_marks')}
          </Checkbox>
          <p className="lc-soft sheet-help">{t('print_sheet.help')}</p>
        </div>
        {!fault && <SheetPreview labels={labels} options={options} />}
      </div>
    </Modal>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <fieldset className="sheet-row">
      <legend>{t(label)}</legend>
      {children}
    </fieldset>
  );
}

type FigureProps = {
  of: string;
  value: number;
  limits: { min: number; max: number };
  whole?: boolean;
  onChange: (value: number) => void;
};

/** A length in millimetres, or a whole number. */
function Figure({ of: length, value, limits, whole = false, onChange }: FigureProps) {
  const { t } = useTranslation();
  return (
    // The label names the control that it stands around.
    // biome-ignore lint/a11y/noLabelWithoutControl: the number field is the control.
    <label className="sheet-figure">
      <span>{t(`print_sheet.${length}`)}</span>
      <InputNumber
        className="lc-wide"
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

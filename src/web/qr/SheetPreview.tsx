import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fontFamily } from '../../qr/frame.ts';
import { drawSvg } from '../../qr/svg.ts';
import { svgDataUrl } from './drawing/canvas.ts';
import { cutMarks, layLabel, placeOf } from './sheet/layout.ts';
import type { SheetLabel, SheetOptions } from './sheet/sheet.ts';

/** More on a preview could not be told apart. */
const maxDrawn = 60;

/** The first sheet as it will be printed, small. Logos are left out: they are drawn in the file. */
export function SheetPreview({ labels, options }: { labels: readonly SheetLabel[]; options: SheetOptions }) {
  const { t } = useTranslation();
  const { grid, copies, skipped, text_size } = options;
  const onPage = Math.min(labels.length * copies, grid.columns * grid.rows - skipped, maxDrawn);
  const drawings = useMemo(
    () =>
      labels.slice(0, Math.ceil(onPage / copies)).map(({ content, design }) => {
        try {
          const { svg, layout } = drawSvg(content, design, { omitLogo: true });
          return { address: svgDataUrl(svg), ratio: layout.width / layout.height };
        } catch {
          return null;
        }
      }),
    [labels, onPage, copies],
  );
  return (
    <svg
      className="lc-sheet-preview"
      viewBox={`0 0 ${grid.page_width} ${grid.page_height}`}
      role="img"
      aria-label={t('print_sheet.preview')}
    >
      <rect width={grid.page_width} height={grid.page_height} fill="#fff" />
      {Array.from({ length: grid.columns * grid.rows }, (_, at) => placeOf(at, grid)).map(({ x, y }) => (
        <rect key={`${x} ${y}`} className="lc-sheet-label" x={x} y={y} width={grid.label_width} height={grid.label_height} rx={1} />
      ))}
      {options.cut_marks &&
        cutMarks(grid).map(([x1, y1, x2, y2]) => (
          <line key={`${x1} ${y1} ${x2} ${y2}`} x1={x1} y1={y1} x2={x2} y2={y2} stroke="#808080" strokeWidth={0.3} />
        ))}
      {Array.from({ length: Math.max(0, onPage) }, (_, at) => {
        const [label, drawing] = [labels[Math.floor(at / copies)], drawings[Math.floor(at / copies)]];
        if (!label || !drawing) return null;
        const { x, y } = placeOf(at, grid, skipped);
        const lines = label.lines.filter((line) => line.trim() !== '');
        const place = layLabel(grid, drawing.ratio, lines.length, text_size);
        return (
          <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
            <image href={drawing.address} x={place.code.x} y={place.code.y} width={place.code.width} height={place.code.height} />
            {place.lines.map((box, line) => (
              <svg
                key={box.y}
                aria-hidden
                x={box.x}
                y={box.y}
                width={box.width}
                height={box.height}
                viewBox={`0 0 ${box.width} ${box.height}`}
              >
                <text
                  x={box.align === 'left' ? 0 : box.width / 2}
                  y={box.height / 2}
                  fontSize={text_size}
                  fontFamily={fontFamily}
                  fontWeight={line === 0 ? 600 : 400}
                  textAnchor={box.align === 'left' ? 'start' : 'middle'}
                  dominantBaseline="central"
                >
                  {lines[line]}
                </text>
              </svg>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

import { LineChartOutlined, TableOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';

type ChartFrameProps = {
  /** Message key or text. */
  title: string;
  help?: string;
  /** Stands between the title and the switch to the table (a legend, a choice of series). */
  aside?: ReactNode;
  /** Acts of its own, before that switch. */
  actions?: ReactNode;
  table: ReactNode;
  children: ReactNode;
};

/** A chart with its title and the way to the same figures as a table. */
export function ChartFrame({ title, help, aside, actions, table, children }: ChartFrameProps) {
  const { t } = useTranslation();
  const text = useText();
  const [isTable, setIsTable] = useState(false);
  const label = t(isTable ? 'common.chart.chart' : 'common.chart.table');
  return (
    <figure className="lc-panel">
      <figcaption className="lc-panel-head">
        <div>
          <h2>{text(title)}</h2>
          {help && <p className="lc-soft">{text(help)}</p>}
        </div>
        {aside}
        {actions}
        <Tooltip title={label}>
          <Button
            type="text"
            icon={isTable ? <LineChartOutlined /> : <TableOutlined />}
            aria-label={label}
            aria-pressed={isTable}
            onClick={() => setIsTable(!isTable)}
          />
        </Tooltip>
      </figcaption>
      {isTable ? <div className="lc-panel-table">{table}</div> : children}
    </figure>
  );
}

/** The figures of a chart as a plain table. */
export function FigureTable({ head, rows }: { head: readonly string[]; rows: readonly { key: string; cells: readonly string[] }[] }) {
  return (
    <table className="lc-figures">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            {row.cells.map((value, at) =>
              at === 0 ? (
                <th key={head[at]} scope="row">
                  {value}
                </th>
              ) : (
                <td key={head[at]}>{value}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

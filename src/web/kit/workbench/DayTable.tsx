import { useTranslation } from 'react-i18next';
import { fullFormats } from '../charts/lineOption.ts';
import { Num } from '../feedback.ts';
import { inZone, useFormat } from '../texts/format.ts';
import { figures, type Inquiry } from './answers.ts';

/** Every step of the range in figures, the newest first. */
export function DayTable({ answer }: { answer: Inquiry }) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <div>
          <h2>{t(`historical_statistics.days.${answer.step}`)}</h2>
        </div>
      </div>
      <div className="lc-workbench-scroll lc-workbench-days">
        <table className="lc-figures">
          <thead>
            <tr>
              <th scope="col">{t('common.field.time')}</th>
              {figures.map((figure) => (
                <th key={figure} scope="col">
                  {t(`qr_code_list.statistics.figures.${figure}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...answer.series].reverse().map((point) => (
              <tr key={point.at}>
                <th scope="row">{inZone(point.at, timeZone).format(fullFormats[answer.step])}</th>
                {figures.map((figure) => (
                  <td key={figure}>
                    <Num value={point[figure]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

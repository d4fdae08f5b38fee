import { useTranslation } from 'react-i18next';
import { figureColors } from '../charts/colors.ts';
import { LineChart } from '../charts/LineChart.tsx';
import type { Mark, Series } from '../charts/types.ts';
import type { Annotation, Figure, Inquiry } from './answers.ts';
import type { Workbench } from './state.ts';

type CourseProps = { answer: Inquiry; bench: Workbench; figure: Figure; annotations: readonly Annotation[] };
const together = ['visits', 'ips', 'refused', 'programs', 'own'] as const;

/** The course of the range: all figures, or the chosen one over the same step of the other period. */
export function Course({ answer, bench, figure, annotations }: CourseProps) {
  const { t } = useTranslation();
  const { before, series, step } = answer;
  const name = (key: Figure) => `qr_code_list.statistics.figures.${key}`;
  const lines: Series[] =
    before && bench.compare
      ? [
          {
            key: figure,
            name: name(figure),
            color: figureColors[figure],
            points: series.map((point) => ({ at: point.at, value: point[figure] })),
          },
          {
            key: 'before',
            name: `historical_statistics.period.${bench.compare}`,
            color: 7,
            isFaint: true,
            // Laid over the same step of the range: the first over the first.
            points: before.series.flatMap((point, index) => (series[index] ? [{ at: series[index].at, value: point[figure] }] : [])),
          },
        ]
      : together.map((key) => ({
          key,
          name: name(key),
          color: figureColors[key],
          points: series.map((point) => ({ at: point.at, value: point[key] })),
        }));
  const marks = marksOf(annotations, series, (annotation) => annotationWords(annotation, t));
  return (
    <LineChart
      title={before ? t('historical_statistics.course_of', { figure: t(name(figure)) }) : 'historical_statistics.course'}
      step={step}
      now={answer.now}
      series={lines}
      marks={marks}
    />
  );
}

/** What happened in words. */
export function annotationWords(annotation: Annotation, t: (key: string) => string): string {
  const what = t(`historical_statistics.happened.${annotation.kind}`);
  const detail =
    annotation.kind === 'code_changed'
      ? t(`code_version.actions.${annotation.text}`)
      : annotation.kind === 'domain_blocked'
        ? annotation.text
        : '';
  return [annotation.code_name, what, detail].filter(Boolean).join(' · ');
}

function marksOf(annotations: readonly Annotation[], series: Inquiry['series'], wordsOf: (annotation: Annotation) => string): Mark[] {
  return annotations.flatMap((annotation) => {
    const step = series.filter(({ at }) => at <= annotation.at).at(-1);
    return step ? [{ at: step.at, label: wordsOf(annotation) }] : [];
  });
}

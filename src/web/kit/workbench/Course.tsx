import { EditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { figureColors } from '../charts/colors.ts';
import { LineChart } from '../charts/LineChart.tsx';
import type { Series } from '../charts/types.ts';
import type { Annotation, Figure, Inquiry } from './answers.ts';
import { annotationWords, Happened } from './Happened.tsx';
import type { Workbench } from './state.ts';

const NoteForm = lazy(async () => ({ default: (await import('./NoteForm.tsx')).NoteForm }));

type CourseProps = {
  answer: Inquiry;
  bench: Workbench;
  codes: readonly number[];
  figure: Figure;
  annotations: readonly Annotation[];
};
const together = ['visits', 'ips', 'refused', 'programs', 'own'] as const;

/** The course of the range: all figures, or the chosen one over the same step of the other period. */
export function Course({ answer, bench, codes, figure, annotations }: CourseProps) {
  const { t } = useTranslation();
  const [noted, setNoted] = useState<Annotation | 'new' | null>(null);
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
  const stepOf = (at: string): string | undefined => (at > answer.now ? undefined : series.findLast((point) => point.at <= at)?.at);
  const marks = annotations.flatMap((annotation) => {
    const at = stepOf(annotation.at);
    return at === undefined ? [] : [{ at, label: annotationWords(annotation, t), isOpenable: annotation.note_id !== null }];
  });
  const openMark = (at: string) => setNoted(annotations.find((one) => one.note_id !== null && stepOf(one.at) === at) ?? null);
  return (
    <>
      <LineChart
        title={before ? t('historical_statistics.course_of', { figure: t(name(figure)) }) : 'historical_statistics.course'}
        step={step}
        now={answer.now}
        series={lines}
        marks={marks}
        openMark={openMark}
        actions={
          <Button type="text" icon={<EditOutlined />} onClick={() => setNoted('new')}>
            {t('visit_note.add')}
          </Button>
        }
      />
      <Happened annotations={annotations} edit={setNoted} />
      {noted && (
        <Suspense>
          <NoteForm
            note={noted === 'new' ? undefined : noted}
            at={bench.range.to < bench.today ? series.at(-1)?.at : answer.now}
            codes={codes}
            onClose={() => setNoted(null)}
          />
        </Suspense>
      )}
    </>
  );
}

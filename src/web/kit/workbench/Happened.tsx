import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../calls/api.ts';
import { useRemoval } from '../dialogs/removal.tsx';
import { useFormat } from '../texts/format.ts';
import type { Annotation } from './answers.ts';

/** So many are shown until the reader asks for all. */
const shownAtFirst = 5;

/** What happened in words. */
export function annotationWords(annotation: Annotation, t: (key: string) => string): string {
  const { kind, code_name, text } = annotation;
  if (kind === 'note') return [code_name, text].filter(Boolean).join(' · ');
  const detail = kind === 'code_changed' ? t(`code_version.actions.${text}`) : kind === 'domain_blocked' ? text : '';
  return [code_name, t(`historical_statistics.happened.${kind}`), detail].filter(Boolean).join(' · ');
}

type HappenedProps = { annotations: readonly Annotation[]; edit: (note: Annotation) => void };

/** What the marks of the chart stand for, the newest first; the reader's own remarks are changed here. */
export function Happened({ annotations, edit }: HappenedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  const removal = useRemoval<Annotation & { id: number }, unknown>(api.visit_note.remove, {
    node: 'historical_statistics',
    title: 'visit_note.remove_title',
    many: 'visit_note.remove_title',
    content: 'visit_note.remove_content',
    name: ({ text }) => ({ name: text }),
    invalidates: ['historical_statistics'],
  });
  if (annotations.length === 0) return null;
  const shown = isWhole ? annotations : annotations.slice(0, shownAtFirst);
  return (
    <section className="lc-panel" aria-label={t('visit_note.happened')}>
      <ul className="lc-happened">
        {shown.map((annotation, index) => (
          <li key={annotation.note_id ?? `${annotation.at} ${index}`}>
            <time className="lc-soft" dateTime={annotation.at}>
              {format.shortTime(annotation.at)}
            </time>
            <span>{annotationWords(annotation, t)}</span>
            {annotation.note_id !== null && (
              <span>
                <Button type="link" size="small" onClick={() => edit(annotation)}>
                  {t('common.edit')}
                </Button>
                <Button type="link" size="small" danger onClick={() => void removal.ask([{ ...annotation, id: annotation.note_id ?? 0 }])}>
                  {t('common.remove')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {!isWhole && annotations.length > shown.length && (
        <Button type="link" size="small" onClick={() => setIsWhole(true)}>
          {t('visit_note.show_all', { number: annotations.length })}
        </Button>
      )}
    </section>
  );
}

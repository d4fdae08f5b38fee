import { Tooltip } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Beat, type BeatState, beatStates, keptBeats } from '../../../contract/detection/domain-monitor.ts';
import { useFormat } from '../texts/format.ts';
import './detection.css';

/** Where a key leads among the bars; undefined: it is none of ours. */
function placeOf(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(at - 1, 0);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(at + 1, last);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** How many of the bars are in each state, in words: what one who sees no bars hears. */
function useSummary(beats: readonly Beat[]): string {
  const { t } = useTranslation();
  const counted = beatStates.flatMap((state) => {
    const number = beats.filter((beat) => beat.state === state).length;
    return number > 0 ? t('domain_monitor.bars.counted', { state: t(`domain_monitor.state.${state}`), number }) : [];
  });
  return t('domain_monitor.bars.summary', { number: beats.length, count: beats.length, counted: counted.join(t('common.comma')) });
}

/**
 * The last checks of an address, one bar each, the newest at the right. A state is told by the shape of its bar as well as by its colour;
 * pointer and arrow keys show the time, the state and the duration of one.
 */
export function Heartbeats({ beats }: { beats: readonly Beat[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const summary = useSummary(beats);
  const [at, setAt] = useState<number | null>(null);
  if (beats.length === 0) return <span className="lc-soft">{t('domain_monitor.bars.none')}</span>;
  const last = beats.length - 1;
  const wordsOf = ({ at: time, state, latency_ms }: Beat) =>
    [
      format.time(time),
      t(`domain_monitor.state.${state}`),
      latency_ms === null ? '' : t('domain_monitor.milliseconds', { number: format.exact(latency_ms) }),
    ]
      .filter((part) => part !== '')
      .join(' · ');

  function move(event: KeyboardEvent) {
    const place = placeOf(event.key, at ?? last, last);
    if (place === undefined) return;
    event.preventDefault();
    setAt(place);
  }
  const shown = at === null ? undefined : beats[Math.min(at, last)];
  const newest = beats[last];
  return (
    <Tooltip open={shown !== undefined} title={shown && wordsOf(shown)}>
      <div
        className="lc-beats"
        role="slider"
        tabIndex={0}
        aria-readonly
        aria-label={summary}
        aria-valuemin={1}
        aria-valuemax={beats.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={wordsOf(shown ?? (newest as Beat))}
        onKeyDown={move}
        onFocus={(event) => event.target.matches(':focus-visible') && setAt((present) => present ?? last)}
        onBlur={() => setAt(null)}
        onMouseLeave={() => setAt(null)}
      >
        {beats.map((beat, place) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard reaches the bars through the element around them.
          <i
            key={beat.at}
            className={`lc-beat lc-beat-${beat.state}${place === at ? ' lc-beat-shown' : ''}`}
            onMouseEnter={() => setAt(place)}
          />
        ))}
        {beats.length < keptBeats && <i className="lc-beat-none" style={{ flexGrow: keptBeats - beats.length }} />}
      </div>
    </Tooltip>
  );
}

/** What the shapes of the bars mean. */
export function BeatLegend() {
  const { t } = useTranslation();
  return (
    <ul className="lc-beat-legend">
      {beatStates.map((state: BeatState) => (
        <li key={state}>
          <i aria-hidden className={`lc-beat lc-beat-${state}`} /> {t(`domain_monitor.state.${state}`)}
        </li>
      ))}
    </ul>
  );
}

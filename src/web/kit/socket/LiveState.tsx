import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Status } from '../feedback.ts';
import { inZone } from '../texts/format.ts';
import './live.css';

type LiveStateProps = {
  /** The moment the figures are from. */
  now: string;
  timeZone: string;
  isPaused: boolean;
  pause: (isPaused: boolean) => void;
  /** The last attempt to ask again failed. */
  isFailing: boolean;
};

/** Whether the figures follow the visits, since when they stand, and the way to stop them. */
export function LiveState({ now, timeZone, isPaused, pause, isFailing }: LiveStateProps) {
  const { t } = useTranslation();
  const state = isPaused ? 'paused' : isFailing ? 'failing' : 'on';
  const kinds = { paused: 'neutral', failing: 'warning', on: 'success' } as const;
  const action = t(isPaused ? 'today_statistics.live.resume' : 'today_statistics.live.pause');
  return (
    <div className="lc-live" data-state={state}>
      <Tooltip title={state === 'on' ? t('today_statistics.live.on_help') : t('today_statistics.live.at', { time: timeOf(now, timeZone) })}>
        <span className="lc-live-words">
          <span role="status">
            <Status kind={kinds[state]} label={t(`today_statistics.live.${state}`)} />
          </span>
          <time className="lc-soft" dateTime={now}>
            {timeOf(now, timeZone)}
          </time>
        </span>
      </Tooltip>
      <Tooltip title={action}>
        <Button
          icon={isPaused ? <CaretRightOutlined /> : <PauseOutlined />}
          aria-label={action}
          aria-pressed={isPaused}
          onClick={() => pause(!isPaused)}
        />
      </Tooltip>
    </div>
  );
}

const timeOf = (now: string, timeZone: string): string => inZone(now, timeZone).format('HH:mm:ss');

import type { TFunction } from 'i18next';
import type { RunServerState, ScriptRun } from '../../contract/system/script.ts';
import type { StatusKind } from '../kit/feedback.ts';

export const runStateKinds: Record<RunServerState, StatusKind> = {
  waiting: 'neutral',
  running: 'info',
  succeeded: 'success',
  failed: 'error',
  timed_out: 'error',
  cancelled: 'warning',
  unreachable: 'error',
  interrupted: 'warning',
  skipped: 'neutral',
};

type Run = Pick<ScriptRun, 'kind' | 'script_name' | 'version' | 'dry'>;

/** What was run, as message and gaps: a script by its name and version, or an update. */
export const runName = ({ kind, script_name, version }: Run, t: TFunction): string =>
  kind === 'script' ? t('script.run_name', { name: script_name, version: version ?? 1 }) : t(`menu.button.${kind}`);

export const isRunOver = ({ operation_state }: Pick<ScriptRun, 'operation_state'>): boolean =>
  operation_state !== 'waiting' && operation_state !== 'running';

/** The address of a run's page. */
export const runPath = (id: number): string => `/system/script?run=${id}`;

/** The address of all runs, or of those of a schedule. */
export const runsPath = (schedule_id?: number): string =>
  `/system/script?view=runs${schedule_id === undefined ? '' : `&schedule_id=${schedule_id}`}`;
export const schedulesPath = '/system/script?view=schedules';

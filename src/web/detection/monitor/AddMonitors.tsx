import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxWatched } from '../../../contract/detection/domain-monitor.ts';
import { useCall } from '../../kit/calls/query.ts';
import { byDefault, intervalOptions, shortestText, toInterval } from '../../kit/detection/intervals.ts';
import { type MonitorScreen, monitorCalls } from '../../kit/detection/monitorScreen.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { useLineResults } from '../../kit/feedback/LineResults.tsx';
import type { Values } from '../../kit/form/contract.ts';
import { readLines } from '../check/lines.ts';

const kinds = { added: 'success', repeated: 'neutral', exists: 'neutral', invalid_url: 'error', quota_exceeded: 'warning' } as const;

/** Watches an address for each line, and tells what became of those that could not be added. */
export function AddMonitors({ screen, onAdded, onClose }: { screen: MonitorScreen; onAdded: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [isFormOpen, setIsFormOpen] = useState(true);
  /** What the form begins with: the lines at fault of the attempt before, with the choices made there. */
  const [initial, setInitial] = useState<Values>({ interval_seconds: byDefault });
  const quota = useCall(monitorCalls(screen).summary, {}).data;
  const sent = useRef<Values>(initial);
  function correct(faulty: string[]) {
    setInitial({ ...sent.current, lines: faulty.join('\n') });
    setIsFormOpen(true);
  }
  const results = useLineResults({ screen: 'domain_monitor', kinds, onClose, correct });
  return (
    <>
      {isFormOpen && (
        <FormModal
          action={monitorCalls(screen).add}
          title="domain_monitor.add"
          submit="domain_monitor.add"
          success={false}
          intro={
            quota && quota.limit !== null
              ? [
                  t('domain_monitor.add_intro'),
                  t('domain_monitor.quota', quota),
                  quota.combo ? t('domain_monitor.quota_buy', quota) : '',
                ].join('')
              : t('domain_monitor.add_intro')
          }
          initial={initial}
          fields={[
            {
              kind: 'textarea',
              name: 'lines',
              label: 'domain_monitor.lines',
              help: t('domain_monitor.lines_help', { maximum: maxWatched }),
              placeholder: 'https://example.com/',
              rows: 6,
              code: true,
              required: true,
            },
            {
              kind: 'select',
              name: 'interval_seconds',
              label: 'domain_monitor.interval',
              help: shortestText(quota?.minimum_seconds),
              options: intervalOptions({ minimum: quota?.minimum_seconds }),
            },
            { kind: 'text', name: 'remark', label: 'common.field.remark' },
          ]}
          toInput={(values) => {
            sent.current = values;
            const { lines } = readLines(values.lines);
            return {
              ...values,
              // No line at all is a field that wasn't filled in.
              lines: lines.length > 0 ? lines.map(({ text }) => text) : null,
              interval_seconds: toInterval(values.interval_seconds),
            };
          }}
          onDone={(output) => {
            if (output.added > 0) onAdded();
            results.show(output);
          }}
          onClose={(isDone) => {
            setIsFormOpen(false);
            if (!isDone) onClose();
          }}
        />
      )}
      {results.dialog}
    </>
  );
}

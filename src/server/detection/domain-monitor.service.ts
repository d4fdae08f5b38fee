import type { adminDomainMonitors, domainMonitors } from '../../contract/detection/domain-monitor.ts';
import type { Service } from '../kit/calls/context.ts';
import { listMonitors, readMonitor, selectMonitors } from './monitors/monitors.reads.ts';
import { addMonitors, checkMonitors, removeMonitors, updateMonitors } from './monitors/monitors.writes.ts';
import { summarize } from './monitors/summary.ts';

/** What is watched: a customer's own, and all for administrators. */
export const domainMonitorService: Service<typeof domainMonitors> & Service<typeof adminDomainMonitors> = {
  inquire: listMonitors,
  ids: selectMonitors,
  summary: (_input, context) => summarize(context),
  details: ({ id }, context) => readMonitor(id, context),
  add: addMonitors,
  update: updateMonitors,
  check: checkMonitors,
  remove: removeMonitors,
};

import type { NodeKey } from '../../../contract/permissions.ts';
import type { CodesScreen } from '../../kit/codes/codesScreen.ts';

export type Act =
  | 'edit'
  | 'statistics'
  | 'share'
  | 'visitors'
  | 'copy'
  | 'domain'
  | 'restriction'
  | 'refill'
  | 'open'
  | 'log'
  | 'batch'
  | 'group'
  | 'print'
  | 'export'
  | 'clear'
  | 'remove';

/** The node that each act needs on each list. */
export const actNodes: Record<CodesScreen, Record<Act, NodeKey>> = {
  qr_code_list: {
    edit: 'qr_code_list.update',
    statistics: 'qr_code_list.statistics',
    share: 'qr_code_list.share',
    visitors: 'qr_code_list.ip',
    copy: 'qr_code_list.add',
    domain: 'qr_code_list.domain',
    restriction: 'qr_code_list.restriction',
    refill: 'qr_code_list.refill',
    open: 'qr_code_list.open',
    log: 'qr_code_list.log',
    batch: 'qr_code_list.batch',
    group: 'group.move',
    print: 'qr_code_list.download',
    export: 'qr_code_list.export',
    clear: 'qr_code_list.clear',
    remove: 'qr_code_list.remove',
  },
  qr_code_list_admin: {
    edit: 'qr_code_list_admin.update',
    statistics: 'qr_code_list_admin',
    share: 'qr_code_list_admin.update',
    visitors: 'qr_code_list_admin',
    copy: 'qr_code_list.add',
    domain: 'qr_code_list_admin.domain',
    restriction: 'qr_code_list_admin.restriction',
    refill: 'qr_code_list_admin.update',
    open: 'qr_code_list_admin.open',
    log: 'qr_code_list_admin.log',
    batch: 'qr_code_list_admin.batch',
    group: 'internal_code_grouping.move',
    print: 'qr_code_list_admin',
    export: 'qr_code_list_admin.export',
    clear: 'qr_code_list_admin.clear',
    remove: 'qr_code_list_admin.remove',
  },
};

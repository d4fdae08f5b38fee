import { admin } from './admin.ts';
import { configuration, subscriberConfigDefault } from './configuration.ts';
import { domainList, userList } from './domain-list.ts';
import { ipBlack } from './ip-black.ts';
import { messageList } from './message-list.ts';
import { preference } from './preference.ts';
import { qrCodeList } from './qr-code-list.ts';
import { qrCodeAccess, todayStatistics } from './statistics.ts';
import { website } from './website.ts';

/** Every group of calls, by its name in the path. */
export const groups = {
  admin,
  website,
  preference,
  user_list: userList,
  domain_list: domainList,
  qr_code_list: qrCodeList,
  qr_code_access: qrCodeAccess,
  today_statistics: todayStatistics,
  configuration,
  subscriber_config_default: subscriberConfigDefault,
  ip_black: ipBlack,
  message_list: messageList,
} as const;
export type Groups = typeof groups;

/** `POST /api/file/add`: multipart with one field `file`; answers this. Needs a login. */
export { uploadedFile } from './file.ts';

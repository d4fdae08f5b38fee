import { batchQuery } from './codes/batch-query.ts';
import { codeGroups, internalCodeGrouping } from './codes/code-group.ts';
import { codeImport } from './codes/code-import.ts';
import { noDomainName, nodomain } from './codes/codes-without-domain.ts';
import { qrCodeList } from './codes/qr-code-list.ts';
import { qrDesigns } from './codes/qr-design.ts';
import { recover } from './codes/recover.ts';
import { documentType, rotationType } from './content/content-type.ts';
import { documentList } from './content/document-list.ts';
import { home } from './content/home.ts';
import { homePageConfig } from './content/home-page-config.ts';
import { imageConfigs } from './content/image-configs.ts';
import { mallBrandList } from './content/mall-brand-list.ts';
import { messageList } from './content/message-list.ts';
import { rotation } from './content/rotation.ts';
import { domainList } from './domains/domain-list.ts';
import { domainReplacements } from './domains/domain-replacement.ts';
import { exportDomainResolution } from './domains/export-domain-resolution.ts';
import { holdDomain } from './domains/hold-domain.ts';
import { forwards } from './links/forward.ts';
import { jsConfig } from './links/js-config.ts';
import { shortCodeGroup } from './links/short-code.ts';
import { urlKeyPlatform } from './links/url-key-platform.ts';
import { admin } from './people/admin.ts';
import { administrators } from './people/administrators.ts';
import { apiTokenGroup } from './people/api-token.ts';
import { preference } from './people/preference.ts';
import { roleGroup } from './people/role.ts';
import { updatePassword } from './people/update-password.ts';
import { userCustomer } from './people/user-customer.ts';
import { userList } from './people/user-list.ts';
import { webhookGroup } from './people/webhook.ts';
import { asyncOperations } from './system/async-operations.ts';
import { command } from './system/command.ts';
import { configuration, subscriberConfigDefault } from './system/configuration.ts';
import { imageConfig } from './system/image-config.ts';
import { ipBlack } from './system/ip-black.ts';
import { languageList } from './system/language-list.ts';
import { logGroup } from './system/log.ts';
import { logConfigGroup, logTypeGroup } from './system/log-config.ts';
import { website } from './system/website.ts';
import { checkoutIp } from './visits/checkout-ip.ts';
import { serverIpBlack } from './visits/server-ip-black.ts';
import { qrCodeAccess, todayStatistics } from './visits/statistics.ts';
import { stealingList } from './visits/stealing-list.ts';
import { visitorList } from './visits/visitor.ts';

/** Every group of calls, by its name in the path. */
export const groups = {
  admin,
  website,
  preference,
  command,
  user_list: userList,
  user_customer: userCustomer,
  administrators,
  role: roleGroup,
  update_password: updatePassword,
  domain_list: domainList,
  domain_replacement: domainReplacements,
  hold_domain: holdDomain,
  no_domain_name: noDomainName,
  nodomain,
  export_domain_resolution: exportDomainResolution,
  batche_query: batchQuery,
  qr_code_list: qrCodeList,
  code_import: codeImport,
  qr_design: qrDesigns,
  short_code: shortCodeGroup,
  url_key_platform: urlKeyPlatform,
  forward: forwards,
  qr_code_access: qrCodeAccess,
  recover,
  group: codeGroups,
  internal_code_grouping: internalCodeGrouping,
  today_statistics: todayStatistics,
  configuration,
  subscriber_config_default: subscriberConfigDefault,
  image_config: imageConfig,
  api_token: apiTokenGroup,
  webhook: webhookGroup,
  js_config: jsConfig,
  image_configs: imageConfigs,
  ip_black: ipBlack,
  message_list: messageList,
  async_operations: asyncOperations,
  log: logGroup,
  log_type: logTypeGroup,
  log_config: logConfigGroup,
  rotation_type: rotationType,
  rotation,
  document_type: documentType,
  document_list: documentList,
  home_page_config: homePageConfig,
  home,
  mall_brand_list: mallBrandList,
  language_list: languageList,
  stealing_list: stealingList,
  visitor: visitorList,
  server_ip_black: serverIpBlack,
  checkout_ip: checkoutIp,
} as const;
export type Groups = typeof groups;

/** Calls that take a file: `POST /api/{path}`, multipart, one field `file`. They need a login and the right to one of the nodes. */
import { importFile } from './codes/code-import.ts';
import { uploadedFile } from './content/file.ts';
export const uploads = [
  { path: 'file/add', summary: 'Uploads a picture', output: uploadedFile },
  { path: 'code_import/file', summary: 'Takes a table of live codes (CSV, XLSX) and tells what stands in it', output: importFile },
] as const;

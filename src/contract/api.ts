import { admin } from './admin.ts';
import { administrators } from './administrators.ts';
import { apiTokenGroup } from './api-token.ts';
import { asyncOperations } from './async-operations.ts';
import { batcheQuery } from './batch-query.ts';
import { checkoutIp } from './checkout-ip.ts';
import { codeGroups, internalCodeGrouping } from './code-group.ts';
import { codeImport } from './code-import.ts';
import { command } from './command.ts';
import { configuration, subscriberConfigDefault } from './configuration.ts';
import { documentType, rotationType } from './content-type.ts';
import { documentList } from './document.ts';
import { domainList } from './domain-list.ts';
import { domainReplacements } from './domain-replacement.ts';
import { exportDomainResolution } from './domain-resolution.ts';
import { forwards } from './forward.ts';
import { holdDomain } from './hold-domain.ts';
import { home, homePageConfig } from './home.ts';
import { imageConfig } from './image-config.ts';
import { imageConfigs } from './image-configs.ts';
import { ipBlack } from './ip-black.ts';
import { jsConfig } from './js-config.ts';
import { languageList } from './language-list.ts';
import { logGroup } from './log.ts';
import { logConfigGroup, logTypeGroup } from './log-config.ts';
import { mallBrandList } from './mall-brand-list.ts';
import { messageList } from './message-list.ts';
import { noDomainName, nodomain } from './no-domain.ts';
import { preference } from './preference.ts';
import { qrCodeList } from './qr-code-list.ts';
import { qrDesigns } from './qr-design.ts';
import { recover } from './recover.ts';
import { roleGroup } from './role.ts';
import { rotation } from './rotation.ts';
import { serverIpBlack } from './server-ip-black.ts';
import { shortCodeGroup } from './short-code.ts';
import { qrCodeAccess, todayStatistics } from './statistics.ts';
import { stealingList } from './stealing-list.ts';
import { updatePassword } from './update-password.ts';
import { urlKeyPlatform } from './url-key-platform.ts';
import { userCustomer } from './user-customer.ts';
import { userList } from './user-list.ts';
import { visitorList } from './visitor.ts';
import { webhookGroup } from './webhook.ts';
import { website } from './website.ts';

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
  batche_query: batcheQuery,
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

/** `POST /api/file/add`: multipart with one field `file`; answers this. Needs a login. */
export { uploadedFile } from './file.ts';

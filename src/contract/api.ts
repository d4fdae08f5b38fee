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
import { mall } from './content/mall.ts';
import { mallBrandList } from './content/mall-brand-list.ts';
import { mallCategoryList } from './content/mall-category-list.ts';
import { mallProductList } from './content/mall-product-list.ts';
import { messageList } from './content/message-list.ts';
import { rotation } from './content/rotation.ts';
import { detectors } from './detection/detectors.ts';
import { adminDomainMonitors, domainMonitors } from './detection/domain-monitor.ts';
import { shieldConfiguration } from './detection/shield-configuration.ts';
import { shieldPush } from './detection/shield-push.ts';
import { telegramBots } from './detection/telegram-bot.ts';
import { telegramBotBinding } from './detection/telegram-bot-binding.ts';
import { wxShieldDetection } from './detection/wx-shield-detection.ts';
import { domainList } from './domains/domain-list.ts';
import { domainReplacements } from './domains/domain-replacement.ts';
import { exportDomainResolution } from './domains/export-domain-resolution.ts';
import { holdDomain } from './domains/hold-domain.ts';
import { forwards } from './links/forward.ts';
import { jsConfig } from './links/js-config.ts';
import { shortCodeGroup } from './links/short-code.ts';
import { urlKeyPlatform } from './links/url-key-platform.ts';
import { agentDividedInto } from './money/agent-divided-into.ts';
import { agentDailyStatistics, agentHistoricalStatistics } from './money/agent-statistics.ts';
import { balanceRecharge } from './money/balance-recharge.ts';
import { billGroup } from './money/bill.ts';
import { buyVipCombo } from './money/buy-vip-combo.ts';
import { couponGroup } from './money/coupon.ts';
import { invoices } from './money/invoice.ts';
import { memberGift } from './money/member-gift.ts';
import { customerOrders, orders, userOrders } from './money/order.ts';
import { orderPayment } from './money/order-payment.ts';
import { payConfig } from './money/pay-config.ts';
import { tronGroup } from './money/tron.ts';
import { tronTransactionSummary } from './money/tron-transaction-summary.ts';
import { usdtTransactionRecord } from './money/usdt-transaction-record.ts';
import { vipCombo } from './money/vip-combo.ts';
import { actingWithdrawalList, withdrawalList } from './money/withdrawal-list.ts';
import { admin } from './people/admin.ts';
import { administrators } from './people/administrators.ts';
import { apiTokenGroup } from './people/api-token.ts';
import { listViews } from './people/list-view.ts';
import { preference } from './people/preference.ts';
import { roleGroup } from './people/role.ts';
import { updatePassword } from './people/update-password.ts';
import { userCustomer } from './people/user-customer.ts';
import { userList } from './people/user-list.ts';
import { webhookGroup } from './people/webhook.ts';
import { asyncOperations } from './system/async-operations.ts';
import { backup } from './system/backup.ts';
import { command } from './system/command.ts';
import { configuration, subscriberConfigDefault } from './system/configuration.ts';
import { imageConfig } from './system/image-config.ts';
import { ipBlack } from './system/ip-black.ts';
import { languageList } from './system/language-list.ts';
import { logGroup } from './system/log.ts';
import { logConfigGroup, logTypeGroup } from './system/log-config.ts';
import { monitor } from './system/monitor.ts';
import { mysqlLock } from './system/mysql-lock.ts';
import { mysqlTimeConsuming } from './system/mysql-time-consuming.ts';
import { restoredCopy } from './system/restored-copy.ts';
import { scriptGroup } from './system/script.ts';
import { scriptSchedule } from './system/script-schedule.ts';
import { serverList } from './system/server-list.ts';
import { website } from './system/website.ts';
import { accessRealTimeStatistics } from './visits/access-real-time-statistics.ts';
import { checkoutIp } from './visits/checkout-ip.ts';
import { deviceModels } from './visits/device-model.ts';
import { historicalStatistics } from './visits/historical-statistics.ts';
import { ipCorrection } from './visits/ip-correction.ts';
import { ipData } from './visits/ip-data.ts';
import { ownAddresses } from './visits/own-address.ts';
import { ownDevices } from './visits/own-device.ts';
import { reportList } from './visits/report-list.ts';
import { serverIpBlack } from './visits/server-ip-black.ts';
import { qrCodeAccess, todayStatistics } from './visits/statistics.ts';
import { stealingList } from './visits/stealing-list.ts';
import { visitDigest } from './visits/visit-digest.ts';
import { visitNote } from './visits/visit-note.ts';
import { visitRule } from './visits/visit-rule.ts';
import { visitSummary } from './visits/visit-summary.ts';
import { visitorList } from './visits/visitor.ts';

/** Every group of calls, by its name in the path. */
export const groups = {
  admin,
  website,
  list_view: listViews,
  preference,
  command,
  user_list: userList,
  user_customer: userCustomer,
  administrators,
  role: roleGroup,
  update_password: updatePassword,
  own_device: ownDevices,
  own_address: ownAddresses,
  domain_list: domainList,
  domain_replacement: domainReplacements,
  shield_configuration: shieldConfiguration,
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
  telegram_bot: telegramBots,
  telegram_bot_binding: telegramBotBinding,
  recover,
  group: codeGroups,
  internal_code_grouping: internalCodeGrouping,
  today_statistics: todayStatistics,
  historical_statistics: historicalStatistics,
  access_real_time_statistics: accessRealTimeStatistics,
  visit_summary: visitSummary,
  visit_digest: visitDigest,
  visit_note: visitNote,
  visit_rule: visitRule,
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
  vip_combo: vipCombo,
  buy_vip_combo: buyVipCombo,
  order: orders,
  user_order: userOrders,
  order_payment: orderPayment,
  invoice: invoices,
  coupon: couponGroup,
  member_gift: memberGift,
  order_customer: customerOrders,
  agent_divided_into: agentDividedInto,
  agent_daily_statistics: agentDailyStatistics,
  agent_historical_statistics: agentHistoricalStatistics,
  acting_withdrawal_list: actingWithdrawalList,
  withdrawal_list: withdrawalList,
  bill: billGroup,
  mall,
  mall_brand_list: mallBrandList,
  mall_category_list: mallCategoryList,
  mall_product_list: mallProductList,
  monitor,
  restored_copy: restoredCopy,
  backup,
  server_list: serverList,
  script: scriptGroup,
  script_schedule: scriptSchedule,
  mysql_lock: mysqlLock,
  mysql_time_consuming: mysqlTimeConsuming,
  language_list: languageList,
  stealing_list: stealingList,
  report_list: reportList,
  visitor: visitorList,
  device_model: deviceModels,
  ip_data: ipData,
  ip_correction: ipCorrection,
  server_ip_black: serverIpBlack,
  checkout_ip: checkoutIp,
  we_chat_blocking_detection_configuration: detectors,
  wx_shield_detection: wxShieldDetection,
  domain_monitor: domainMonitors,
  admin_domain_monitor: adminDomainMonitors,
  shield_push: shieldPush,
  pay_config: payConfig,
  balance_recharge: balanceRecharge,
  usdt_transaction_record: usdtTransactionRecord,
  tron: tronGroup,
  tron_transaction_summary: tronTransactionSummary,
} as const;
export type Groups = typeof groups;

/** Calls that take a file: `POST /api/{path}`, multipart, one field `file`. They need a login and the right to one of the nodes. */
import { importFile } from './codes/code-import.ts';
import { uploadedFile } from './content/file.ts';
export const uploads = [
  { path: 'file/add', summary: 'Uploads a picture', output: uploadedFile },
  { path: 'code_import/file', summary: 'Takes a table of live codes (CSV, XLSX) and tells what stands in it', output: importFile },
] as const;

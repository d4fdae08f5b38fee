import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import { groups } from '../contract/api.ts';
import { socketProtocol } from '../contract/socket.ts';
import { apiTokenService } from './api-tokens/api-token.service.ts';
import { backupService } from './backup/runs/backup.service.ts';
import { createTelegramBotService } from './bots/telegram-bot.service.ts';
import { createTelegramBotBindingService } from './bots/telegram-bot-binding.service.ts';
import { mountTelegramWebhook } from './bots/webhook/webhook.route.ts';
import { commandService } from './command/command.service.ts';
import { documentTypeService, rotationTypeService } from './content/content-type.service.ts';
import { documentListService } from './content/document-list.service.ts';
import { homePageConfigService } from './content/home-page-config.service.ts';
import { rotationService } from './content/rotation.service.ts';
import { mysqlLockService } from './database/mysql-lock.service.ts';
import { mysqlTimeConsumingService } from './database/mysql-time-consuming.service.ts';
import { createDetectorsService } from './detection/detectors.service.ts';
import { domainMonitorService } from './detection/domain-monitor.service.ts';
import { wxShieldDetectionService } from './detection/lists/wx-shield-detection.service.ts';
import { mountDocumentation } from './documentation.ts';
import { domainListService } from './domains/domain-list.service.ts';
import { platformEntryHost } from './domains/domains.public.ts';
import { holdDomainService } from './domains/hold-domain.service.ts';
import { exportDomainResolutionService } from './domains/resolution/export-domain-resolution.service.ts';
import { shieldConfigurationService } from './failover/shield-configuration.service.ts';
import { forwardService } from './forwards/forward.service.ts';
import { mountHealth, watchRoom } from './health.ts';
import { homeService } from './home/home.service.ts';
import { imageConfigsService } from './image-configs/image-configs.service.ts';
import { guardAgainstBlacklist } from './ip-black/ip-black.guard.ts';
import { ipBlackService } from './ip-black/ip-black.service.ts';
import { asyncOperationsService } from './jobs/async-operations.service.ts';
import { mountDownloads } from './jobs/operations.files.ts';
import { jsConfigService } from './js-config/js-config.service.ts';
import type { ServerKit } from './kit/calls/context.ts';
import { answerFailure, createMount, isAborted } from './kit/calls/mount.ts';
import { createSealing } from './kit/calls/sealing.ts';
import { setLocales } from './kit/messages/messages.ts';
import { mayReadMetrics } from './kit/metrics/guard.ts';
import { boundConnections, type ConnectionBounds, slowSenders } from './kit/network/connections.ts';
import { guardNetwork } from './kit/network/guarded-network.ts';
import { type CidrSet, clientAddress, createCidrSet } from './kit/network/ip.ts';
import { openBus } from './kit/postgres/bus.ts';
import { cachedValue } from './kit/postgres/cached-value.ts';
import { endSilentConnections, openDatabase } from './kit/postgres/database.ts';
import { openVault } from './kit/vault.ts';
import { languageListService } from './languages/language-list.service.ts';
import { readLanguages } from './languages/languages.public.ts';
import { billService } from './ledger/bill.service.ts';
import { batchQueryService } from './live-codes/batch-query/batch-query.service.ts';
import { qrDesignService } from './live-codes/designs/qr-design.service.ts';
import { codeGroupsService, internalCodeGroupingService } from './live-codes/groups/code-group.service.ts';
import { codeImportService, mountImports } from './live-codes/import/code-import.service.ts';
import { qrCodeListService } from './live-codes/qr-code-list.service.ts';
import { domainReplacementService } from './live-codes/replacement/domain-replacement.service.ts';
import { noDomainNameService, nodomainService } from './live-codes/without-domain/codes-without-domain.service.ts';
import { logService } from './logs/log.service.ts';
import { logConfigService, logTypeService } from './logs/log-config.service.ts';
import { createMallCache } from './mall/mall.cache.ts';
import { mallService } from './mall/mall.service.ts';
import { mallBrandListService } from './mall/mall-brand-list.service.ts';
import { mallCategoryListService } from './mall/mall-category-list.service.ts';
import { mallProductListService } from './mall/mall-product-list.service.ts';
import { mountProductImports } from './mall/products.import.ts';
import { messageListService } from './messages/message-list.service.ts';
import { monitorService } from './monitor/monitor.service.ts';
import { agentDividedIntoService } from './orders/agents/agent-divided-into.service.ts';
import { agentDailyStatisticsService, agentHistoricalStatisticsService } from './orders/agents/agent-statistics.service.ts';
import { buyVipComboService } from './orders/buy-vip-combo.service.ts';
import { couponService } from './orders/coupons/coupon.service.ts';
import { invoiceService } from './orders/invoices/invoice.service.ts';
import { memberGiftService } from './orders/member-gift.service.ts';
import { createOrderService, orderCustomerService, userOrderService } from './orders/order.service.ts';
import { orderPaymentService } from './orders/order-payment.service.ts';
import { vipComboService } from './orders/vip-combo.service.ts';
import { createShieldPushService } from './pushes/shield-push.service.ts';
import { reportListService } from './reports/report-list.service.ts';
import { restoredCopyService } from './restored-copy/restored-copy.service.ts';
import { roleService } from './roles/role.service.ts';
import { scriptScheduleService } from './servers/schedules/script-schedule.service.ts';
import { scriptService } from './servers/script.service.ts';
import { createServerListService } from './servers/server-list.service.ts';
import { configurationService, subscriberConfigDefaultService } from './settings/configuration.service.ts';
import { readSettings } from './settings/settings.public.ts';
import { createShortCodeService } from './short-codes/short-code.service.ts';
import { createUrlKeyPlatformService } from './short-codes/url-key-platform.service.ts';
import { mountSocket, watchSocketSource } from './socket/socket.route.ts';
import { balanceRechargeService } from './tron/balance-recharge.service.ts';
import { createPayConfigService } from './tron/pay-config.service.ts';
import { createTronService } from './tron/tron.service.ts';
import { tronTransactionSummaryService } from './tron/tron-transaction-summary.service.ts';
import { usdtTransactionRecordService } from './tron/usdt-transaction-record.service.ts';
import { createImageConfigService } from './uploads/storages/image-config.service.ts';
import { createStorages } from './uploads/storages/storage.ts';
import { mountUploads } from './uploads/uploads.ts';
import { adminService } from './users/admin.service.ts';
import { administratorsService } from './users/administrators.service.ts';
import { proveIdentity } from './users/identity.public.ts';
import { listViewService } from './users/preferences/list-view.service.ts';
import { preferenceService } from './users/preferences/preference.service.ts';
import { updatePasswordService } from './users/update-password.service.ts';
import { userCustomerService } from './users/user-customer.service.ts';
import { userListService } from './users/user-list.service.ts';
import { deviceModelService } from './visits/devices/device-model.service.ts';
import { visitDigestService } from './visits/digests/visit-digest.service.ts';
import { visitNoteService } from './visits/notes/visit-note.service.ts';
import { ownAddressService } from './visits/own/own-address.service.ts';
import { ownDeviceService } from './visits/own/own-device.service.ts';
import { ipCorrectionService } from './visits/places/ip-correction.service.ts';
import { ipDataService } from './visits/places/ip-data.service.ts';
import { mountIpData } from './visits/places/ip-data.upload.ts';
import { visitRuleService } from './visits/rules/visit-rule.service.ts';
import { accessRealTimeStatisticsService } from './visits/statistics/access-real-time-statistics.service.ts';
import { historicalStatisticsService } from './visits/statistics/historical-statistics.service.ts';
import { onOwnConnections } from './visits/statistics/own-connections.ts';
import { recoverService } from './visits/statistics/recover.service.ts';
import { qrCodeAccessService, todayStatisticsService } from './visits/statistics/statistics.service.ts';
import { visitSummaryService } from './visits/statistics/visit-summary.service.ts';
import { checkoutIpService } from './visits/visitors/checkout-ip.service.ts';
import { serverIpBlackService } from './visits/visitors/server-ip-black.service.ts';
import { stealingListService } from './visits/visitors/stealing-list.service.ts';
import { visitorService } from './visits/visitors/visitor.service.ts';
import { createWebhookService } from './webhooks/webhook.service.ts';
import { inlineScripts, mountWebApp } from './website/web-app.public.ts';
import { websiteService } from './website/website.service.ts';
import { actingWithdrawalListService, createWithdrawalListService } from './withdrawals/withdrawal-list.service.ts';

export type AppOptions = {
  pool: pg.Pool;
  /** Of statements that count visits; the same as the others without it. */
  countingPool?: pg.Pool;
  dataDir: string;
  /** Networks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Private networks that may be called although they are private: storages, platforms, webhooks. */
  allowedNetworks?: readonly string[];
  /** Private networks besides these that servers managed over SSH may stand in. */
  serverNetworks?: readonly string[];
  /** Encrypts stored secrets; the key file of the data folder where it isn't given. */
  masterKey?: Buffer | undefined;
  logger?: FastifyBaseLogger;
  now?: () => Date;
  /** Settings and the like are kept in memory, never older than this; tests that change rows by hand say 0. */
  heldMilliseconds?: number;
  /** What `/metrics` tells, and the token that it asks for; there is none without. */
  metrics?: { all: () => Promise<string>; token: string | undefined };
  /** Other bounds than the usual ones. */
  connections?: Partial<ConnectionBounds>;
};

/** A page holds a connection for its socket, and an office has one address. */
const connectionBounds = { all: 10_000, perNetwork: 1_000 };

/** The back office as one Fastify app: every call, uploads, the API's documentation and the built web app. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { pool, dataDir, trustedProxies, masterKey, logger, now = () => new Date() } = options;
  const proxies = createCidrSet(trustedProxies);
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    trustProxy: (address) => proxies.has(address),
    // Of routes that are no calls, whose limits follow from their inputs.
    bodyLimit: 65_536,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 60_000,
    http: slowSenders(options.connections?.headersMilliseconds),
  });
  boundConnections(app.server, { ...connectionBounds, ...options.connections }, proxies);
  const bus = openBus(pool.options.connectionString ?? '', app.log);
  app.addHook('onClose', () => bus.stop());
  const stopWatching = endSilentConnections(pool, bus.isSilent);
  app.addHook('onClose', async () => stopWatching());
  if (options.countingPool) app.addHook('onClose', endSilentConnections(options.countingPool, bus.isSilent));
  // After the pool is watched: a connection that was made before would not be.
  const db = openDatabase(pool);
  const counting = openDatabase(options.countingPool ?? pool);
  const vault = await openVault(db, dataDir, masterKey);
  const network = guardNetwork(options.allowedNetworks ?? []);
  const serverNetwork = guardNetwork([...(options.allowedNetworks ?? []), ...(options.serverNetworks ?? [])]);
  const storages = createStorages({ dataDir, vault, network });
  app.addHook('onClose', () => storages.close());
  const held = { bus, log: app.log, maxAgeMilliseconds: options.heldMilliseconds };
  const settings = cachedValue({ ...held, topics: ['setting'], read: () => readSettings(pool) });
  const languages = cachedValue({
    ...held,
    topics: ['language', 'setting'],
    async read() {
      const known = await readLanguages(pool);
      setLocales(known);
      return known;
    },
  });
  const entryHost = cachedValue({ ...held, topics: ['domain'], read: () => platformEntryHost(db) });
  const kit: ServerKit = { db, settings, now, vault, sealing: createSealing(vault) };
  const room = watchRoom(dataDir);
  app.setErrorHandler((error, request, reply) => {
    room.note(error);
    answerFailure(error, request, reply);
  });
  keepAddresses(app, proxies);
  const socketSource = await watchSocketSource(app, settings);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScripts()],
        // antd writes its styles into the page as it renders.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", 'data:', 'blob:', socketSource],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        frameAncestors: ["'self'"],
        upgradeInsecureRequests: null,
      },
    },
    // The operator's proxy decides on HTTPS; forcing it here would lock out a plain first start.
    strictTransportSecurity: false,
  });
  // Every answer is in the languages and the words of this moment; without the database in those of the last one.
  app.addHook('onRequest', async ({ url }) => {
    if (url.startsWith('/api/') && !url.startsWith(socketProtocol.path)) await languages().catch(() => undefined);
  });
  guardAgainstBlacklist(app, { db: kit.db, ...held });
  await app.register(fastifyRateLimit, { global: false });
  await app.register(fastifyCompress, { threshold: 1024, encodings: ['br', 'gzip'] });

  await mountSocket(app, kit, bus);

  const mount = createMount(app, kit, proveIdentity);
  mount(groups.admin, adminService);
  mount(groups.website, websiteService(languages, entryHost));
  mount(groups.language_list, languageListService(languages));
  mount(groups.list_view, listViewService);
  mount(groups.preference, preferenceService);
  mount(groups.command, commandService);
  mount(groups.user_list, userListService);
  mount(groups.user_customer, userCustomerService);
  mount(groups.administrators, administratorsService);
  mount(groups.role, roleService);
  mount(groups.update_password, updatePasswordService);
  mount(groups.own_device, ownDeviceService);
  mount(groups.own_address, ownAddressService);
  mount(groups.domain_list, domainListService);
  mount(groups.forward, forwardService);
  mount(groups.domain_replacement, domainReplacementService);
  mount(groups.shield_configuration, shieldConfigurationService);
  mount(groups.hold_domain, holdDomainService);
  mount(groups.no_domain_name, noDomainNameService);
  mount(groups.nodomain, nodomainService);
  mount(groups.export_domain_resolution, exportDomainResolutionService);
  mount(groups.batche_query, batchQueryService);
  mount(groups.qr_code_list, qrCodeListService);
  mount(groups.code_import, codeImportService);
  mount(groups.qr_design, qrDesignService);
  mount(groups.short_code, createShortCodeService(network));
  mount(groups.url_key_platform, createUrlKeyPlatformService(network));
  mount(groups.qr_code_access, qrCodeAccessService);
  mount(groups.recover, recoverService);
  mount(groups.group, codeGroupsService);
  mount(groups.internal_code_grouping, internalCodeGroupingService);
  mount(groups.today_statistics, todayStatisticsService);
  mount(groups.historical_statistics, onOwnConnections(historicalStatisticsService, counting));
  mount(groups.access_real_time_statistics, accessRealTimeStatisticsService);
  mount(groups.visit_summary, onOwnConnections(visitSummaryService, counting));
  mount(groups.visit_digest, visitDigestService);
  mount(groups.visit_note, visitNoteService);
  mount(groups.visit_rule, visitRuleService);
  mount(groups.configuration, configurationService);
  mount(groups.subscriber_config_default, subscriberConfigDefaultService);
  mount(groups.image_config, createImageConfigService(storages));
  mount(groups.api_token, apiTokenService);
  mount(groups.image_configs, imageConfigsService);
  mount(groups.js_config, jsConfigService);
  mount(groups.webhook, createWebhookService(network));
  mount(groups.telegram_bot, createTelegramBotService(network));
  mount(groups.telegram_bot_binding, createTelegramBotBindingService(network));
  mount(groups.shield_push, createShieldPushService(network));
  mount(groups.ip_black, ipBlackService);
  mount(groups.message_list, messageListService);
  mount(groups.async_operations, asyncOperationsService);
  mount(groups.log, logService);
  mount(groups.log_type, logTypeService);
  mount(groups.log_config, logConfigService);
  mount(groups.rotation_type, rotationTypeService);
  mount(groups.rotation, rotationService);
  mount(groups.document_type, documentTypeService);
  mount(groups.document_list, documentListService);
  mount(groups.home_page_config, homePageConfigService);
  mount(groups.home, homeService);
  mount(groups.vip_combo, vipComboService);
  mount(groups.buy_vip_combo, buyVipComboService);
  mount(groups.order, createOrderService(network));
  mount(groups.user_order, userOrderService);
  mount(groups.order_customer, orderCustomerService);
  mount(groups.order_payment, orderPaymentService);
  mount(groups.invoice, invoiceService);
  mount(groups.coupon, couponService);
  mount(groups.member_gift, memberGiftService);
  mount(groups.bill, billService);
  const mallCache = createMallCache(held);
  mount(groups.mall, mallService(mallCache));
  mount(groups.mall_brand_list, mallBrandListService);
  mount(groups.mall_category_list, mallCategoryListService(mallCache));
  mount(groups.mall_product_list, mallProductListService);
  mount(groups.monitor, monitorService);
  mount(groups.restored_copy, restoredCopyService);
  mount(groups.backup, backupService);
  mount(groups.mysql_lock, mysqlLockService);
  mount(groups.mysql_time_consuming, mysqlTimeConsumingService);
  mount(groups.visitor, visitorService(trustedProxies));
  mount(groups.device_model, deviceModelService);
  mount(groups.ip_data, ipDataService);
  mount(groups.ip_correction, ipCorrectionService);
  mount(groups.checkout_ip, checkoutIpService(trustedProxies));
  mount(groups.stealing_list, stealingListService(trustedProxies));
  mount(groups.report_list, reportListService);
  mount(groups.server_ip_black, serverIpBlackService(trustedProxies));
  mount(groups.we_chat_blocking_detection_configuration, createDetectorsService(network));
  mount(groups.wx_shield_detection, wxShieldDetectionService);
  mount(groups.domain_monitor, domainMonitorService);
  mount(groups.admin_domain_monitor, domainMonitorService);
  mount(groups.server_list, createServerListService(serverNetwork));
  mount(groups.script, scriptService);
  mount(groups.script_schedule, scriptScheduleService);
  mount(groups.pay_config, createPayConfigService(network));
  mount(groups.balance_recharge, balanceRechargeService);
  mount(groups.usdt_transaction_record, usdtTransactionRecordService);
  mount(groups.tron, createTronService(network));
  mount(groups.agent_divided_into, agentDividedIntoService);
  mount(groups.agent_daily_statistics, agentDailyStatisticsService);
  mount(groups.agent_historical_statistics, agentHistoricalStatisticsService);
  mount(groups.tron_transaction_summary, tronTransactionSummaryService);
  mount(groups.acting_withdrawal_list, actingWithdrawalListService);
  mount(groups.withdrawal_list, createWithdrawalListService(network));
  await mountUploads(app, kit, { dataDir, storages });
  mountImports(app, kit);
  mountProductImports(app, kit);
  mountIpData(app, kit, dataDir);
  mountDownloads(app, kit, dataDir);
  mountTelegramWebhook(app, kit);
  mountDocumentation(app);
  mountMetrics(app, options.metrics);
  mountHealth(app, pool, room.isLeft);
  await mountWebApp(app);
  return app;
}

/**
 * The address of a caller is read as the visit path reads a visitor's, and is the one that he came with, also when his connection ends
 * while he is waited for: the socket forgets it then. Whose connection ended before his turn has neither an address nor anybody to answer,
 * and nothing is done for him.
 */
function keepAddresses(app: FastifyInstance, proxies: CidrSet): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isAborted(request)) {
      const forwarded = request.headers['x-forwarded-for'];
      const value = clientAddress(request.socket.remoteAddress ?? '', Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
      Object.defineProperty(request, 'ip', { value });
      return;
    }
    request.log.debug('a request was aborted before its turn');
    reply.hijack();
  });
}

/** What Prometheus reads: of all processes of this host, where a supervisor started them. */
function mountMetrics(app: FastifyInstance, metrics: AppOptions['metrics']): void {
  if (!metrics) return;
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request.raw, metrics.token)) return reply.status(403).send('');
    return reply.type('text/plain; version=0.0.4').send(await metrics.all());
  });
}

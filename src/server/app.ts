import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import { groups } from '../contract/api.ts';
import { socketProtocol } from '../contract/socket.ts';
import { apiTokenService } from './api-tokens/api-token.service.ts';
import { commandService } from './command/command.service.ts';
import { documentTypeService, rotationTypeService } from './content/content-type.service.ts';
import { documentListService } from './content/document-list.service.ts';
import { homePageConfigService } from './content/home-page-config.service.ts';
import { rotationService } from './content/rotation.service.ts';
import { mountDocumentation } from './documentation.ts';
import { domainListService } from './domains/domain-list.service.ts';
import { holdDomainService } from './domains/hold-domain.service.ts';
import { exportDomainResolutionService } from './domains/resolution/export-domain-resolution.service.ts';
import { forwardService } from './forwards/forward.service.ts';
import { homeService } from './home/home.service.ts';
import { imageConfigsService } from './image-configs/image-configs.service.ts';
import { guardAgainstBlacklist } from './ip-black/ip-black.guard.ts';
import { ipBlackService } from './ip-black/ip-black.service.ts';
import { asyncOperationsService } from './jobs/async-operations.service.ts';
import { mountDownloads } from './jobs/operations.files.ts';
import { jsConfigService } from './js-config/js-config.service.ts';
import type { ServerKit } from './kit/calls/context.ts';
import { AppError } from './kit/calls/errors.ts';
import { answerFailure, createMount, isAborted } from './kit/calls/mount.ts';
import { createSealing } from './kit/calls/sealing.ts';
import { setLocales } from './kit/messages/messages.ts';
import { guardNetwork } from './kit/network/guarded-network.ts';
import { type CidrSet, clientAddress, createCidrSet } from './kit/network/ip.ts';
import { openBus } from './kit/postgres/bus.ts';
import { cachedValue } from './kit/postgres/cached-value.ts';
import { endSilentConnections, openDatabase } from './kit/postgres/database.ts';
import { openVault } from './kit/vault.ts';
import { languageListService } from './languages/language-list.service.ts';
import { readLanguages } from './languages/languages.public.ts';
import { batchQueryService } from './live-codes/batch-query/batch-query.service.ts';
import { qrDesignService } from './live-codes/designs/qr-design.service.ts';
import { codeGroupsService, internalCodeGroupingService } from './live-codes/groups/code-group.service.ts';
import { codeImportService, mountImports } from './live-codes/import/code-import.service.ts';
import { qrCodeListService } from './live-codes/qr-code-list.service.ts';
import { domainReplacementService } from './live-codes/replacement/domain-replacement.service.ts';
import { noDomainNameService, nodomainService } from './live-codes/without-domain/codes-without-domain.service.ts';
import { logService } from './logs/log.service.ts';
import { logConfigService, logTypeService } from './logs/log-config.service.ts';
import { mallBrandListService } from './mall/mall-brand-list.service.ts';
import { messageListService } from './messages/message-list.service.ts';
import { roleService } from './roles/role.service.ts';
import { configurationService, subscriberConfigDefaultService } from './settings/configuration.service.ts';
import { readSettings } from './settings/settings.public.ts';
import { createShortCodeService } from './short-codes/short-code.service.ts';
import { createUrlKeyPlatformService } from './short-codes/url-key-platform.service.ts';
import { mountSocket, watchSocketSource } from './socket/socket.route.ts';
import { createImageConfigService } from './uploads/storages/image-config.service.ts';
import { createStorages } from './uploads/storages/storage.ts';
import { mountUploads } from './uploads/uploads.ts';
import { adminService } from './users/admin.service.ts';
import { administratorsService } from './users/administrators.service.ts';
import { preferenceService } from './users/preference.service.ts';
import { updatePasswordService } from './users/update-password.service.ts';
import { userCustomerService } from './users/user-customer.service.ts';
import { userListService } from './users/user-list.service.ts';
import { recoverService } from './visits/statistics/recover.service.ts';
import { qrCodeAccessService, todayStatisticsService } from './visits/statistics/statistics.service.ts';
import { checkoutIpService } from './visits/visitors/checkout-ip.service.ts';
import { serverIpBlackService } from './visits/visitors/server-ip-black.service.ts';
import { stealingListService } from './visits/visitors/stealing-list.service.ts';
import { visitorService } from './visits/visitors/visitor.service.ts';
import { createWebhookService } from './webhooks/webhook.service.ts';
import { websiteService } from './website/website.service.ts';

export type AppOptions = {
  pool: pg.Pool;
  dataDir: string;
  /** Networks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** Private networks that may be called although they are private: storages, platforms, webhooks. */
  allowedNetworks?: readonly string[];
  /** Encrypts stored secrets; the key file of the data folder where it isn't given. */
  masterKey?: Buffer | undefined;
  logger?: FastifyBaseLogger;
  now?: () => Date;
  /** Settings and the like are kept in memory, never older than this; tests that change rows by hand say 0. */
  heldMilliseconds?: number;
};

const webFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

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
  });
  const bus = openBus(pool.options.connectionString ?? '', app.log);
  app.addHook('onClose', () => bus.stop());
  const stopWatching = endSilentConnections(pool, bus.isSilent);
  app.addHook('onClose', async () => stopWatching());
  // After the pool is watched: a connection that was made before would not be.
  const db = openDatabase(pool);
  const vault = await openVault(db, dataDir, masterKey);
  const network = guardNetwork(options.allowedNetworks ?? []);
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
  const kit: ServerKit = { db, settings, now, vault, sealing: createSealing(vault) };
  app.setErrorHandler(answerFailure);
  keepAddresses(app, proxies);
  const socketSource = await watchSocketSource(app, settings);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
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

  const mount = createMount(app, kit);
  mount(groups.admin, adminService);
  mount(groups.website, websiteService(languages));
  mount(groups.language_list, languageListService(languages));
  mount(groups.preference, preferenceService);
  mount(groups.command, commandService);
  mount(groups.user_list, userListService);
  mount(groups.user_customer, userCustomerService);
  mount(groups.administrators, administratorsService);
  mount(groups.role, roleService);
  mount(groups.update_password, updatePasswordService);
  mount(groups.domain_list, domainListService);
  mount(groups.forward, forwardService);
  mount(groups.domain_replacement, domainReplacementService);
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
  mount(groups.configuration, configurationService);
  mount(groups.subscriber_config_default, subscriberConfigDefaultService);
  mount(groups.image_config, createImageConfigService(storages));
  mount(groups.api_token, apiTokenService);
  mount(groups.image_configs, imageConfigsService);
  mount(groups.js_config, jsConfigService);
  mount(groups.webhook, createWebhookService(network));
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
  mount(groups.mall_brand_list, mallBrandListService);
  mount(groups.visitor, visitorService(trustedProxies));
  mount(groups.checkout_ip, checkoutIpService(trustedProxies));
  mount(groups.stealing_list, stealingListService(trustedProxies));
  mount(groups.server_ip_black, serverIpBlackService(trustedProxies));
  await mountUploads(app, kit, { dataDir, storages });
  mountImports(app, kit);
  mountDownloads(app, kit, dataDir);
  await mountDocumentation(app);
  mountHealth(app, pool);
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

const readinessMilliseconds = 1500;

/** Liveness asks nobody; readiness asks the database, once for all who ask at the same time. */
function mountHealth(app: FastifyInstance, pool: pg.Pool): void {
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    pool
      .query('SELECT 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined));
  app.get('/healthz', () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    asking ??= ask();
    const isReady = await Promise.race([asking, delay(readinessMilliseconds, false, { ref: false })]);
    reply.status(isReady ? 200 : 503);
    return { ok: isReady };
  });
}

/** The built web app; in development Vite serves it and this folder may be missing. */
async function mountWebApp(app: FastifyInstance): Promise<void> {
  if (existsSync(webFolder)) {
    await app.register(fastifyStatic, {
      root: webFolder,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) answerFailure(new AppError(404, 'no_such_call'), request, reply);
    else reply.status(404).type('text/plain; charset=utf-8').send('404');
  });
}

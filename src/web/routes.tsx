// Before the contract: it settles how its checks run.
import './kit/checks.ts';
import { type ComponentType, lazy as lazyAlone, Suspense } from 'react';
import { Navigate, Outlet, type RouteObject } from 'react-router';
import type { NodeKey, ScreenPath } from '../contract/permissions.ts';
import { screens } from '../contract/permissions.ts';
import { codePageNodes } from './kit/CodeLink.tsx';
import { useSession } from './kit/calls/session.tsx';
import { DirtyGuard } from './kit/form/dirty.tsx';
import { Look } from './kit/Look.tsx';
import { AreaHome, LoggedIn, ScreenGuard, SessionEndQuestion, UnknownPage, UnknownRoute } from './kit/shell/Guard.tsx';
import { ScreenBoundary } from './kit/shell/ScreenBoundary.tsx';
import { ScreenLoading } from './kit/shell/ScreenLoading.tsx';
import { Shell } from './kit/shell/Shell.tsx';
import { RealTime } from './kit/socket/useSocket.ts';
import { loadScreenMessages } from './kit/texts/i18n.ts';
import { EnrolmentGate } from './login/security/EnrolmentGate.tsx';
import { MaintenanceGate } from './system/maintain/MaintenanceGate.tsx';

type Screen = ComponentType;
type ScreenFile = { default: Screen };

/** A screen with the words that a start does without. Those that people start with, and the public pages, are `lazyAlone`. */
const lazy = (load: () => Promise<ScreenFile>) =>
  lazyAlone(async (): Promise<ScreenFile> => {
    const [file] = await Promise.all([load(), loadScreenMessages()]);
    return file;
  });

/** One page under the three routes that the specification has for it. */
const HomePage = lazyAlone(async () => ({ default: (await import('./home/HomePage.tsx')).HomePage }));

/** The component of every screen: one that is missing here doesn't compile. Each is loaded when it is opened. */
export const routes: Record<ScreenPath, Screen> = {
  today_statistics: HomePage,
  qr_code_list: lazyAlone(async () => ({ default: (await import('./live-codes/QrCodeListPage.tsx')).QrCodeListPage })),
  qr_code_list_admin: lazyAlone(async () => ({ default: (await import('./live-codes/AllLiveCodesPage.tsx')).AllLiveCodesPage })),
  qr_code_remove: lazy(async () => ({ default: (await import('./live-codes/RemovedCodesPage.tsx')).RemovedCodesPage })),
  recover: lazy(async () => ({ default: (await import('./live-codes/RecoverPage.tsx')).RecoverPage })),
  group: lazy(async () => ({ default: (await import('./live-codes/groups/CodeGroupPage.tsx')).CodeGroupPage })),
  internal_code_grouping: lazy(async () => ({ default: (await import('./live-codes/groups/CodeGroupPage.tsx')).InternalGroupsPage })),
  set_qr_code: lazy(async () => ({ default: (await import('./live-codes/SetLiveCodePage.tsx')).SetLiveCodePage })),
  short_code: lazy(async () => ({ default: (await import('./short-codes/ShortCodePage.tsx')).ShortCodePage })),
  short_qr_code_list: lazy(async () => ({ default: (await import('./short-codes/ShortQrPage.tsx')).ShortQrPage })),
  url_key_platform: lazy(async () => ({ default: (await import('./short-codes/UrlKeyPlatformPage.tsx')).UrlKeyPlatformPage })),
  shield_configuration: lazy(async () => ({ default: (await import('./failover/ShieldConfigurationPage.tsx')).ShieldConfigurationPage })),
  forward: lazy(async () => ({ default: (await import('./forwards/ForwardPage.tsx')).ForwardPage })),
  balance_recharge: lazy(async () => ({ default: (await import('./tron/BalanceRechargePage.tsx')).BalanceRechargePage })),
  agent_divided_into: lazy(async () => ({ default: (await import('./money/AgentDividedIntoPage.tsx')).AgentDividedIntoPage })),
  agent_daily_statistics: lazy(async () => ({ default: (await import('./money/AgentStatisticsPage.tsx')).AgentDailyStatisticsPage })),
  agent_historical_statistics: lazy(async () => ({
    default: (await import('./money/AgentStatisticsPage.tsx')).AgentHistoricalStatisticsPage,
  })),
  acting_withdrawal_list: lazy(async () => ({
    default: (await import('./tron/ActingWithdrawalListPage.tsx')).ActingWithdrawalListPage,
  })),
  withdrawal_list: lazy(async () => ({ default: (await import('./tron/WithdrawalListPage.tsx')).WithdrawalListPage })),
  pay_config: lazy(async () => ({ default: (await import('./tron/PayConfigPage.tsx')).PayConfigPage })),
  usdt_transaction_record: lazy(async () => ({
    default: (await import('./tron/UsdtTransactionRecordPage.tsx')).UsdtTransactionRecordPage,
  })),
  tron_transaction_summary: lazy(async () => ({
    default: (await import('./tron/TronTransactionSummaryPage.tsx')).TronTransactionSummaryPage,
  })),
  tron: lazy(async () => ({ default: (await import('./tron/TronPage.tsx')).TronPage })),
  domain_list: lazy(async () => ({ default: (await import('./domains/DomainListPage.tsx')).DomainListPage })),
  hold_domain: lazy(async () => ({ default: (await import('./domains/hold/HoldDomainPage.tsx')).HoldDomainPage })),
  no_domain_name: lazy(async () => ({ default: (await import('./domains/without/CodesWithoutDomainPage.tsx')).NoDomainNamePage })),
  nodomain: lazy(async () => ({ default: (await import('./domains/without/CodesWithoutDomainPage.tsx')).NodomainPage })),
  export_domain_resolution: lazy(async () => ({
    default: (await import('./domains/resolution/ExportDomainResolutionPage.tsx')).ExportDomainResolutionPage,
  })),
  batche_query: lazy(async () => ({ default: (await import('./domains/query/BatchQueryPage.tsx')).BatchQueryPage })),
  wx_shield_detection: lazy(async () => ({
    default: (await import('./detection/check/WxShieldDetectionPage.tsx')).WxShieldDetectionPage,
  })),
  domain_monitor: lazy(async () => ({ default: (await import('./detection/monitor/DomainMonitorPage.tsx')).DomainMonitorPage })),
  admin_domain_monitor: lazy(async () => ({
    default: (await import('./detection/monitor/DomainMonitorPage.tsx')).AdminDomainMonitorPage,
  })),
  we_chat_blocking_detection_configuration: lazy(async () => ({
    default: (await import('./detection/detectors/DetectorsPage.tsx')).DetectorsPage,
  })),
  user_list: lazy(async () => ({ default: (await import('./people/UserListPage.tsx')).UserListPage })),
  user_customer: lazy(async () => ({ default: (await import('./people/UserCustomerPage.tsx')).UserCustomerPage })),
  administrators: lazy(async () => ({ default: (await import('./people/AdministratorsPage.tsx')).AdministratorsPage })),
  configuration: lazy(async () => ({ default: (await import('./system/settings/ConfigurationPage.tsx')).ConfigurationPage })),
  subscriber_config_default: lazy(async () => ({
    default: (await import('./system/settings/SubscriberConfigDefaultPage.tsx')).SubscriberConfigDefaultPage,
  })),
  image_config: lazy(async () => ({ default: (await import('./system/storage/ImageConfigPage.tsx')).ImageConfigPage })),
  api_token: lazy(async () => ({ default: (await import('./developer/ApiTokenPage.tsx')).ApiTokenPage })),
  webhook: lazy(async () => ({ default: (await import('./developer/WebhookPage.tsx')).WebhookPage })),
  shield_push: lazy(async () => ({ default: (await import('./pushes/ShieldPushPage.tsx')).ShieldPushPage })),
  telegram_bot_binding: lazy(async () => ({ default: (await import('./bots/TelegramBotBindingPage.tsx')).TelegramBotBindingPage })),
  js_config: lazy(async () => ({ default: (await import('./snippets/JsConfigPage.tsx')).JsConfigPage })),
  image_configs: lazy(async () => ({ default: (await import('./pictures/ImageConfigsPage.tsx')).ImageConfigsPage })),
  ip_black: lazy(async () => ({ default: (await import('./system/ip-black/IpBlackPage.tsx')).IpBlackPage })),
  log: lazy(async () => ({ default: (await import('./system/logs/LogPage.tsx')).LogPage })),
  log_type: lazy(async () => ({ default: (await import('./system/logs/LogTypePage.tsx')).LogTypePage })),
  log_config: lazy(async () => ({ default: (await import('./system/logs/LogConfigPage.tsx')).LogConfigPage })),
  async_operations: lazy(async () => ({ default: (await import('./system/operations/AsyncOperationsPage.tsx')).AsyncOperationsPage })),
  message_list: lazy(async () => ({ default: (await import('./system/messages/MessageListPage.tsx')).MessageListPage })),
  role: lazy(async () => ({ default: (await import('./people/roles/RolePage.tsx')).RolePage })),
  update_password: lazy(async () => ({ default: (await import('./login/security/UpdatePasswordPage.tsx')).UpdatePasswordPage })),
  home: HomePage,
  home_admin: HomePage,
  home_page_config: lazy(async () => ({ default: (await import('./home/blocks/HomePageConfigPage.tsx')).HomePageConfigPage })),
  language_list: lazy(async () => ({ default: (await import('./system/languages/LanguageListPage.tsx')).LanguageListPage })),
  historical_statistics: lazy(async () => ({
    default: (await import('./statistics/history/HistoricalStatisticsPage.tsx')).HistoricalStatisticsPage,
  })),
  pc_historical_statistics: lazy(async () => ({
    default: (await import('./statistics/history/HistoricalStatisticsPage.tsx')).PcHistoricalStatisticsPage,
  })),
  daily_statistics: lazy(async () => ({
    default: (await import('./statistics/history/HistoricalStatisticsPage.tsx')).DailyStatisticsPage,
  })),
  hourly_statistics: lazy(async () => ({
    default: (await import('./statistics/history/HistoricalStatisticsPage.tsx')).HourlyStatisticsPage,
  })),
  access_real_time_statistics: lazy(async () => ({
    default: (await import('./statistics/real-time/AccessRealTimeStatisticsPage.tsx')).AccessRealTimeStatisticsPage,
  })),
  visit_summary: lazy(async () => ({ default: (await import('./statistics/VisitSummaryPage.tsx')).VisitSummaryPage })),
  checkout_ip: lazy(async () => ({ default: (await import('./statistics/CheckoutIpPage.tsx')).CheckoutIpPage })),
  device_model: lazy(async () => ({ default: (await import('./statistics/devices/DeviceModelPage.tsx')).DeviceModelPage })),
  ip_data: lazy(async () => ({ default: (await import('./statistics/places/IpDataPage.tsx')).IpDataPage })),
  ip_correction: lazy(async () => ({ default: (await import('./statistics/places/IpCorrectionPage.tsx')).IpCorrectionPage })),
  report_list: lazy(async () => ({ default: (await import('./reports/ReportListPage.tsx')).ReportListPage })),
  stealing_list: lazy(async () => ({ default: (await import('./statistics/stealing/StealingListPage.tsx')).StealingListPage })),
  server_ip_black: lazy(async () => ({ default: (await import('./statistics/blacklist/ServerIpBlackPage.tsx')).ServerIpBlackPage })),
  visitor: lazy(async () => ({ default: (await import('./statistics/VisitorPage.tsx')).VisitorPage })),
  rotation_type: lazy(async () => ({ default: (await import('./content/ContentTypePage.tsx')).RotationTypePage })),
  rotation: lazy(async () => ({ default: (await import('./content/RotationPage.tsx')).RotationPage })),
  document_type: lazy(async () => ({ default: (await import('./content/ContentTypePage.tsx')).DocumentTypePage })),
  document_list: lazy(async () => ({ default: (await import('./content/DocumentListPage.tsx')).DocumentListPage })),
  vip_combo: lazy(async () => ({ default: (await import('./money/VipComboPage.tsx')).VipComboPage })),
  buy_vip_combo: lazy(async () => ({ default: (await import('./money/BuyVipComboPage.tsx')).BuyVipComboPage })),
  member_gift: lazy(async () => ({ default: (await import('./money/MemberGiftPage.tsx')).MemberGiftPage })),
  coupon: lazy(async () => ({ default: (await import('./money/CouponPage.tsx')).CouponPage })),
  order: lazy(async () => ({ default: (await import('./money/OrderPage.tsx')).OrderPage })),
  user_order: lazy(async () => ({ default: (await import('./money/OrderPage.tsx')).UserOrderPage })),
  order_customer: lazy(async () => ({ default: (await import('./money/OrderPage.tsx')).OrderCustomerPage })),
  bill: lazy(async () => ({ default: (await import('./money/BillPage.tsx')).BillPage })),
  monitor: lazy(async () => ({ default: (await import('./system/monitor/MonitorPage.tsx')).MonitorPage })),
  server_list: lazy(async () => ({ default: (await import('./servers/ServerListPage.tsx')).ServerListPage })),
  script: lazy(async () => ({ default: (await import('./servers/ScriptPage.tsx')).ScriptPage })),
  mysql_lock: lazy(async () => ({ default: (await import('./database/MysqlLockPage.tsx')).MysqlLockPage })),
  mysql_time_consuming: lazy(async () => ({ default: (await import('./database/MysqlTimeConsumingPage.tsx')).MysqlTimeConsumingPage })),
  mall_category_list: lazy(async () => ({ default: (await import('./mall/MallCategoryListPage.tsx')).MallCategoryListPage })),
  mall_product_list: lazy(async () => ({ default: (await import('./mall/MallProductListPage.tsx')).MallProductListPage })),
  mall_brand_list: lazy(async () => ({ default: (await import('./mall/MallBrandListPage.tsx')).MallBrandListPage })),
};

const RegisterPage = lazyAlone(async () => ({ default: (await import('./login/RegisterPage.tsx')).RegisterPage }));
const MaintainPage = lazyAlone(async () => ({ default: (await import('./system/maintain/MaintainPage.tsx')).MaintainPage }));
const DocumentPage = lazyAlone(async () => ({ default: (await import('./content/DocumentPage.tsx')).DocumentPage }));
const AccessLogPage = lazyAlone(async () => ({ default: (await import('./statistics/access-log/AccessLogPage.tsx')).AccessLogPage }));
const QrCodePage = lazy(async () => ({ default: (await import('./live-codes/page/QrCodePage.tsx')).QrCodePage }));
const OrderPaymentPage = lazy(async () => ({ default: (await import('./tron/OrderPaymentPage.tsx')).OrderPaymentPage }));
const ShareAccessPage = lazyAlone(async () => ({ default: (await import('./share/ShareAccessPage.tsx')).ShareAccessPage }));

/** The screens of one area below its path, each open to the holders of its node. */
function areaRoutes(area: 'customer' | 'system'): RouteObject[] {
  return screens
    .filter((screen) => screen.area === area)
    .map((screen) => {
      const Component = routes[screen.path as ScreenPath];
      return {
        path: screen.path,
        element: (
          <ScreenGuard node={screen.path as NodeKey}>
            <Component />
          </ScreenGuard>
        ),
      };
    });
}

/** The page of one code has no node of its own: who may read a code may open it. */
function CodeGuard() {
  const { allows } = useSession();
  return (
    <ScreenGuard node={codePageNodes.find(allows) ?? codePageNodes[0]}>
      <QrCodePage />
    </ScreenGuard>
  );
}

/** Nor has the page on which one order is paid: who may buy, or see his orders, may open it. */
function PaymentGuard() {
  const { allows } = useSession();
  return (
    <ScreenGuard node={allows('user_order') ? 'user_order' : 'buy_vip_combo'}>
      <OrderPaymentPage />
    </ScreenGuard>
  );
}

const childrenOf = (area: 'customer' | 'system'): RouteObject[] => [
  { index: true, element: <AreaHome /> },
  ...areaRoutes(area),
  { path: '*', element: <UnknownRoute /> },
];

const behindLogin = (
  <LoggedIn>
    <EnrolmentGate>
      <Shell />
    </EnrolmentGate>
  </LoggedIn>
);

export { prepareLook } from './kit/Look.tsx';

/** Every page but the login. */
export const officeRoutes: RouteObject[] = [
  {
    element: (
      <Look>
        <MaintenanceGate>
          <RealTime />
          <SessionEndQuestion>
            <DirtyGuard>
              <ScreenBoundary>
                <Suspense fallback={<ScreenLoading />}>
                  <Outlet />
                </Suspense>
              </ScreenBoundary>
            </DirtyGuard>
          </SessionEndQuestion>
        </MaintenanceGate>
      </Look>
    ),
    children: [
      { index: true, element: <Navigate to="/customer" replace /> },
      { path: 'admin_register', element: <RegisterPage /> },
      { path: 'maintain', element: <MaintainPage /> },
      { path: 'document/:id', element: <DocumentPage /> },
      { path: 'share_access', element: <ShareAccessPage /> },
      { path: 'access_log', element: <AccessLogPage /> },
      {
        path: 'customer',
        element: behindLogin,
        children: [
          { path: 'qr_code/:id/:part?', element: <CodeGuard /> },
          { path: 'order_payment/:id', element: <PaymentGuard /> },
          ...childrenOf('customer'),
        ],
      },
      { path: 'system', element: behindLogin, children: childrenOf('system') },
      { path: '*', element: <UnknownPage /> },
    ],
  },
];

import { type ComponentType, lazy, Suspense } from 'react';
import { createHashRouter, Navigate, Outlet, type RouteObject } from 'react-router';
import type { BuiltScreenPath, NodeKey } from '../contract/permissions.ts';
import { builtScreens } from '../contract/permissions.ts';
import { DirtyGuard } from './kit/form/dirty.tsx';
import { AreaHome, LoggedIn, ScreenGuard, SessionEndQuestion, UnknownRoute } from './kit/shell/Guard.tsx';
import { ScreenBoundary } from './kit/shell/ScreenBoundary.tsx';
import { ScreenLoading } from './kit/shell/ScreenLoading.tsx';
import { RealTime } from './kit/socket/useSocket.ts';
import { EnrolmentGate } from './login/security/EnrolmentGate.tsx';
import { MaintenanceGate } from './system/maintain/MaintenanceGate.tsx';

type Screen = ComponentType;

/** The component of every built screen: one that is missing here doesn't compile. Each is loaded when it is opened. */
export const routes: Record<BuiltScreenPath, Screen> = {
  today_statistics: lazy(async () => ({ default: (await import('./statistics/TodayStatisticsPage.tsx')).TodayStatisticsPage })),
  qr_code_list: lazy(async () => ({ default: (await import('./live-codes/QrCodeListPage.tsx')).LiveCodesPage })),
  qr_code_list_admin: lazy(async () => ({ default: (await import('./live-codes/AllLiveCodesPage.tsx')).AllLiveCodesPage })),
  qr_code_remove: lazy(async () => ({ default: (await import('./live-codes/RemovedCodesPage.tsx')).RemovedCodesPage })),
  recover: lazy(async () => ({ default: (await import('./live-codes/RecoverPage.tsx')).RecoverPage })),
  group: lazy(async () => ({ default: (await import('./live-codes/groups/CodeGroupPage.tsx')).GroupsPage })),
  internal_code_grouping: lazy(async () => ({ default: (await import('./live-codes/groups/CodeGroupPage.tsx')).InternalGroupsPage })),
  set_qr_code: lazy(async () => ({ default: (await import('./live-codes/SetLiveCodePage.tsx')).SetLiveCodePage })),
  short_code: lazy(async () => ({ default: (await import('./short-codes/ShortCodePage.tsx')).ShortCodesPage })),
  short_qr_code_list: lazy(async () => ({ default: (await import('./short-codes/ShortQrPage.tsx')).ShortQrPage })),
  url_key_platform: lazy(async () => ({ default: (await import('./short-codes/UrlKeyPlatformPage.tsx')).PlatformsPage })),
  forward: lazy(async () => ({ default: (await import('./forwards/ForwardPage.tsx')).ForwardPage })),
  domain_list: lazy(async () => ({ default: (await import('./domains/DomainListPage.tsx')).DomainsPage })),
  hold_domain: lazy(async () => ({ default: (await import('./domains/hold/HoldDomainPage.tsx')).HoldDomainPage })),
  no_domain_name: lazy(async () => ({ default: (await import('./domains/without/CodesWithoutDomainPage.tsx')).NoDomainNamePage })),
  nodomain: lazy(async () => ({ default: (await import('./domains/without/CodesWithoutDomainPage.tsx')).NodomainPage })),
  export_domain_resolution: lazy(async () => ({
    default: (await import('./domains/resolution/ExportDomainResolutionPage.tsx')).DomainResolutionPage,
  })),
  batche_query: lazy(async () => ({ default: (await import('./domains/query/BatchQueryPage.tsx')).BatcheQueryPage })),
  user_list: lazy(async () => ({ default: (await import('./people/UserListPage.tsx')).UserListPage })),
  user_customer: lazy(async () => ({ default: (await import('./people/UserCustomerPage.tsx')).CustomersPage })),
  administrators: lazy(async () => ({ default: (await import('./people/AdministratorsPage.tsx')).AdministratorsPage })),
  configuration: lazy(async () => ({ default: (await import('./system/settings/ConfigurationPage.tsx')).ConfigurationPage })),
  subscriber_config_default: lazy(async () => ({
    default: (await import('./system/settings/SubscriberConfigDefaultPage.tsx')).SubscriberConfigDefaultPage,
  })),
  image_config: lazy(async () => ({ default: (await import('./system/storage/ImageConfigPage.tsx')).ImageConfigPage })),
  api_token: lazy(async () => ({ default: (await import('./developer/ApiTokenPage.tsx')).ApiTokenPage })),
  webhook: lazy(async () => ({ default: (await import('./developer/WebhookPage.tsx')).WebhookPage })),
  js_config: lazy(async () => ({ default: (await import('./snippets/JsConfigPage.tsx')).JsConfigPage })),
  image_configs: lazy(async () => ({ default: (await import('./pictures/ImageConfigsPage.tsx')).ImageConfigsPage })),
  ip_black: lazy(async () => ({ default: (await import('./system/ip-black/IpBlackPage.tsx')).IpBlackPage })),
  log: lazy(async () => ({ default: (await import('./system/logs/LogPage.tsx')).LogPage })),
  log_type: lazy(async () => ({ default: (await import('./system/logs/LogTypePage.tsx')).LogTypePage })),
  log_config: lazy(async () => ({ default: (await import('./system/logs/LogConfigPage.tsx')).LogConfigPage })),
  async_operations: lazy(async () => ({ default: (await import('./system/operations/AsyncOperationsPage.tsx')).AsyncOperationsPage })),
  message_list: lazy(async () => ({ default: (await import('./system/messages/MessageListPage.tsx')).MessageListPage })),
  role: lazy(async () => ({ default: (await import('./people/roles/RolePage.tsx')).RolesPage })),
  update_password: lazy(async () => ({ default: (await import('./login/security/UpdatePasswordPage.tsx')).UpdatePasswordPage })),
  home: lazy(async () => ({ default: (await import('./content/home/HomePage.tsx')).HomePage })),
  home_page_config: lazy(async () => ({ default: (await import('./content/home/HomePageConfigPage.tsx')).HomePageConfigPage })),
  language_list: lazy(async () => ({ default: (await import('./system/languages/LanguageListPage.tsx')).LanguagesPage })),
  checkout_ip: lazy(async () => ({ default: (await import('./statistics/CheckoutIpPage.tsx')).CheckoutIpPage })),
  stealing_list: lazy(async () => ({ default: (await import('./statistics/stealing/StealingListPage.tsx')).StealingListPage })),
  server_ip_black: lazy(async () => ({ default: (await import('./statistics/blacklist/ServerIpBlackPage.tsx')).ServerIpBlackPage })),
  visitor: lazy(async () => ({ default: (await import('./statistics/VisitorPage.tsx')).VisitorPage })),
  rotation_type: lazy(async () => ({ default: (await import('./content/ContentTypePage.tsx')).RotationTypePage })),
  rotation: lazy(async () => ({ default: (await import('./content/RotationPage.tsx')).RotationPage })),
  document_type: lazy(async () => ({ default: (await import('./content/ContentTypePage.tsx')).DocumentTypePage })),
  document_list: lazy(async () => ({ default: (await import('./content/DocumentListPage.tsx')).DocumentListPage })),
};

// The frame is loaded with the first screen inside it: the public pages do without menu and drawer.
const Shell = lazy(async () => ({ default: (await import('./kit/shell/Shell.tsx')).Shell }));
const LoginPage = lazy(async () => ({ default: (await import('./login/LoginPage.tsx')).LoginPage }));
const RegisterPage = lazy(async () => ({ default: (await import('./login/RegisterPage.tsx')).RegisterPage }));
const MaintainPage = lazy(async () => ({ default: (await import('./system/maintain/MaintainPage.tsx')).MaintainPage }));
const DocumentPage = lazy(async () => ({ default: (await import('./content/DocumentPage.tsx')).DocumentPage }));
const AccessLogPage = lazy(async () => ({ default: (await import('./statistics/access-log/AccessLogPage.tsx')).AccessLogPage }));
const ShareAccessPage = lazy(async () => ({ default: (await import('./share/ShareAccessPage.tsx')).ShareAccessPage }));

/** The screens of one area below its path, each open to the holders of its node. */
function areaRoutes(area: 'customer' | 'system'): RouteObject[] {
  return builtScreens
    .filter((screen) => screen.area === area)
    .map((screen) => {
      const Component = routes[screen.path as BuiltScreenPath];
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

export const router = createHashRouter([
  {
    element: (
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
    ),
    children: [
      { index: true, element: <Navigate to="/customer" replace /> },
      { path: 'admin_login', element: <LoginPage /> },
      { path: 'admin_register', element: <RegisterPage /> },
      { path: 'maintain', element: <MaintainPage /> },
      { path: 'document/:id', element: <DocumentPage /> },
      { path: 'share_access', element: <ShareAccessPage /> },
      { path: 'access_log', element: <AccessLogPage /> },
      { path: 'customer', element: behindLogin, children: childrenOf('customer') },
      { path: 'system', element: behindLogin, children: childrenOf('system') },
      { path: '*', element: <UnknownRoute /> },
    ],
  },
]);

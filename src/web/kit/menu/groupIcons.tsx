import {
  BarChartOutlined,
  DashboardOutlined,
  GlobalOutlined,
  PictureOutlined,
  SettingOutlined,
  TeamOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import { type ComponentType, lazy, Suspense } from 'react';
import type { menuGroups } from '../../../contract/permissions.ts';

const icons: Record<(typeof menuGroups)[number]['icon'], ComponentType> = {
  chart: BarChartOutlined,
  dashboard: DashboardOutlined,
  global: GlobalOutlined,
  picture: PictureOutlined,
  setting: SettingOutlined,
  team: TeamOutlined,
  wallet: WalletOutlined,
};

const OtherIcon = lazy(async () => ({ default: (await import('../shell/icons.tsx')).MenuIcon }));

/** The picture of a group: those of ours come with the menu, one that an administrator chose is loaded. */
export function GroupIcon({ name }: { name: string }) {
  if (!Object.hasOwn(icons, name))
    return (
      <Suspense fallback={<span className="anticon" />}>
        <OtherIcon name={name} />
      </Suspense>
    );
  const Icon = icons[name as keyof typeof icons];
  return <Icon />;
}

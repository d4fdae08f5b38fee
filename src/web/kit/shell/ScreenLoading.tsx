import { Skeleton } from 'antd';

/** While a screen's code is fetched: its title and rows as they will stand. */
export function ScreenLoading() {
  return (
    <div className="lc-page" aria-busy="true">
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 6 }} />
    </div>
  );
}

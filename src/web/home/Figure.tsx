import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { NodeKey } from '../../contract/permissions.ts';
import { useSession } from '../kit/calls/session.tsx';

type FigureProps = {
  title: string;
  /** What exactly is counted. */
  help?: string;
  children: ReactNode;
  /** Below the figure: how it changed, or what is wrong. */
  note?: ReactNode;
  node: NodeKey;
  route: string;
};

/** A figure that leads to its list, for those who have it. */
export function Figure({ title, help, children, note, node, route }: FigureProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { allows } = useSession();
  const content = (
    <>
      {help ? (
        <Tooltip title={t(help)}>
          <span className="lc-stat-title lc-stat-help">{t(title)}</span>
        </Tooltip>
      ) : (
        <span className="lc-stat-title">{t(title)}</span>
      )}
      <b className="lc-stat-value">{children}</b>
      {note && <span className="lc-home-note lc-soft">{note}</span>}
    </>
  );
  return allows(node) ? (
    <button type="button" className="lc-stat" onClick={() => void navigate(route)}>
      {content}
    </button>
  ) : (
    <div className="lc-stat">{content}</div>
  );
}

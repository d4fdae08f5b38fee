import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { NodeKey } from '../../contract/permissions.ts';
import { useSession } from './calls/session.tsx';

/** The parts of a live code's page, each below the code's own address. */
export const codePageParts = ['statistics', 'visitors', 'settings', 'history'] as const;
export type CodePagePart = (typeof codePageParts)[number];

/** Where a live code's page is, or one part of it. */
export const codePage = (id: number, part?: CodePagePart): string => `/customer/qr_code/${id}${part ? `/${part}` : ''}`;

/** Any of these opens a code's page, as it does its details. */
export const codePageNodes = ['qr_code_list', 'qr_code_list_admin', 'set_qr_code'] as const satisfies readonly NodeKey[];

export function useMayOpenCodes(): boolean {
  const { allows } = useSession();
  return codePageNodes.some(allows);
}

type CodeLinkProps = {
  /** Null where nothing is known of the code but its name. */
  id: number | null;
  /** The code's name; of long ones the whole is told on pointing at it. */
  name: string;
  className?: string;
  children?: ReactNode;
};

/** A live code's name as the way to its page; the name alone for users who may not open it. */
export function CodeLink({ id, name, className = '', children = name }: CodeLinkProps) {
  const mayOpen = useMayOpenCodes();
  if (id === null || !mayOpen)
    return (
      <span className={className} title={name}>
        {children}
      </span>
    );
  return (
    <Link to={codePage(id)} className={`lc-code-link ${className}`.trim()} title={name}>
      {children}
    </Link>
  );
}

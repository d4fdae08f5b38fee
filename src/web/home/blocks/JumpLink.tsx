import { App } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { jumpFault, type LinkJumpType, linkJumpType } from '../../../contract/links/jump.ts';
import { Copyable } from '../../kit/feedback.ts';

export type Jump = { jump_type: LinkJumpType; jump_address: string; title: string; description?: string };

type JumpLinkProps = {
  jump: Jump;
  className?: string;
  label?: string;
  onFollow?: () => void;
  children: ReactNode;
};

/** Leads where a picture or link says: a screen, a new or this window, or a text to copy. Without an address it leads nowhere. */
export function JumpLink({ jump, className, label, onFollow, children }: JumpLinkProps) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { jump_type, jump_address } = jump;
  const common = { className, 'aria-label': label, onClick: onFollow };
  // The server has checked the address; what stands in a page's link is checked once more.
  if (jump_address === '' || jumpFault(jump_type, jump_address)) return <span className={className}>{children}</span>;
  switch (jump_type) {
    case linkJumpType.router:
      return (
        <Link to={jump_address} {...common}>
          {children}
        </Link>
      );
    case linkJumpType.new_window:
      return (
        <a href={jump_address} target="_blank" rel="noopener noreferrer" {...common}>
          {children}
        </a>
      );
    case linkJumpType.current_window:
      return (
        <a href={jump_address} rel="noreferrer" {...common}>
          {children}
        </a>
      );
    case linkJumpType.custom:
      return (
        <button
          type="button"
          {...common}
          onClick={() => {
            onFollow?.();
            modal.info({
              title: jump.title,
              icon: null,
              okText: t('common.close'),
              content: (
                <>
                  {jump.description && <p className="lc-home-custom-text">{jump.description}</p>}
                  <Copyable value={jump_address} />
                </>
              ),
            });
          }}
        >
          {children}
        </button>
      );
  }
}

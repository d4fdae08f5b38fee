import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="lc-plain-icon" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">
      {children}
    </svg>
  );
}

/** The few pictures of the pages before the login. */
export const plainIcons = {
  globe: (
    <Icon>
      <circle cx="12" cy="12" r="9" />
      <path d="M3 12h18M12 3c3 2.6 4 5.6 4 9s-1 6.4-4 9c-3-2.6-4-5.6-4-9s1-6.4 4-9z" />
    </Icon>
  ),
  sun: (
    <Icon>
      <circle cx="12" cy="12" r="4.5" />
      <path d="M12 2.5v2.6M12 18.9v2.6M2.5 12h2.6M18.9 12h2.6M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M5.3 18.7l1.8-1.8M16.9 7.1l1.8-1.8" />
    </Icon>
  ),
  moon: (
    <Icon>
      <path d="M20 14.2A8.4 8.4 0 0 1 9.8 4 8.4 8.4 0 1 0 20 14.2z" />
    </Icon>
  ),
  screen: (
    <Icon>
      <path d="M3.5 4.5h17v12h-17zM12 16.5v3.4M8 20h8" />
    </Icon>
  ),
  user: (
    <Icon>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6" />
    </Icon>
  ),
  lock: (
    <Icon>
      <path d="M5 11h14v9.500H5zM8 11V8a4 4 0 0 1 8 0v3" />
    </Icon>
  ),
  eye: (
    <Icon>
      <path d="M2.5 12c2.2-4.3 5.4-6.5 9.5-6.500s7.3 2.2 9.5 6.500c-2.2 4.3-5.4 6.5-9.5 6.500S4.7 16.3 2.5 12z" />
      <circle cx="12" cy="12" r="3" />
    </Icon>
  ),
  shield: (
    <Icon>
      <path d="M12 3l7.5 2.800v5.700c0 4.5-2.9 7.7-7.5 9.5-4.6-1.8-7.5-5-7.5-9.500V5.800zM8.5 12l2.5 2.5 4.5-4.5" />
    </Icon>
  ),
} as const;

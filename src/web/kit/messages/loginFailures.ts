import type { LoginInfo } from '../calls/session.tsx';

let kept: LoginInfo['failures'] = null;

/** Keeps what a login told of failed ones before it, for the first screen to say: the page of the login is gone by then. */
export function keepLoginFailures(failures: LoginInfo['failures']): void {
  kept = failures;
}

/** What was kept; told once. */
export function takeLoginFailures(): LoginInfo['failures'] {
  const failures = kept;
  kept = null;
  return failures;
}

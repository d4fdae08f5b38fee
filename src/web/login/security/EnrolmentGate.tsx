import { lazy, type ReactNode } from 'react';
import { useSession } from '../../kit/calls/session.tsx';

const DemandedEnrolment = lazy(async () => ({ default: (await import('./DemandedEnrolment.tsx')).DemandedEnrolment }));

/** Stands before the back office until a second factor that the site demands is set up. */
export function EnrolmentGate({ children }: { children: ReactNode }) {
  return useSession().mustEnrol ? <DemandedEnrolment /> : children;
}

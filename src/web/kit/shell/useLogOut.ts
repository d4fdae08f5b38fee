import { useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { useMayLeave } from '../form/dirty.tsx';

/** Ends the session and shows the login; asks first where something unsaved would be lost. */
export function useLogOut(): () => Promise<void> {
  const { logOut } = useSession();
  const navigate = useNavigate();
  const mayLeave = useMayLeave();
  return async () => {
    if (!(await mayLeave())) return;
    await logOut();
    await navigate('/admin_login');
  };
}

import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** The address whose wish was answered, by act, until it is out of the address. */
const answered = new Map<string, string>();

/**
 * Does what an address asks for once (`?act=add`, for one row `?act=replace&id=5`), as the menu "new" and the start page lead to it, and takes
 * the wish out of the address. On a slow device what mounts later, such as the button of an empty list, sees the wish still there: a dialog that
 * was closed meanwhile must not come again.
 */
export function useAskedAct(act: string, run: (id: number) => void, isAllowed: boolean): void {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();
  const isAsked = isAllowed && params.get('act') === act;
  const answer = useEffectEvent(() => {
    const id = Number(params.get('id'));
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        next.delete('act');
        next.delete('id');
        return next;
      },
      { replace: true },
    );
    run(id);
  });
  useEffect(() => {
    if (!isAsked) answered.delete(act);
    else if (answered.get(act) !== key) {
      answered.set(act, key);
      answer();
    }
  }, [act, isAsked, key]);
}

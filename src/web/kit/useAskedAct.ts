import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Does what an address asks for once (`?act=add`, for one row `?act=replace&id=5`), as the menu "new" and the start page lead to it, and takes
 * the wish out of the address.
 */
export function useAskedAct(act: string, run: (id: number) => void, isAllowed: boolean): void {
  const [params, setParams] = useSearchParams();
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
    if (isAsked) answer();
  }, [isAsked]);
}

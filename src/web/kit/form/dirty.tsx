import { type ReactNode, useCallback, useEffect, useEffectEvent, useId, useSyncExternalStore } from 'react';
import { type BlockerFunction, useBeforeUnload, useBlocker } from 'react-router';
import { useConfirm } from '../dialogs/confirm.tsx';
import { createStore } from '../local.ts';

/** The forms that hold something unsaved; read outside of React at the very moment somebody wants to leave. */
const dirtyForms = createStore<ReadonlySet<string>>(new Set());

function setDirty(id: string, isDirty: boolean): void {
  if (dirtyForms.get().has(id) === isDirty) return;
  const next = new Set(dirtyForms.get());
  if (isDirty) next.add(id);
  else next.delete(id);
  dirtyForms.set(next);
}

/** Registers a form: after `set(true)`, leaving the route or the page asks first, until `set(false)` or the form is gone. */
export function useDirtySource(): (isDirty: boolean) => void {
  const id = useId();
  useEffect(() => () => setDirty(id, false), [id]);
  return useCallback((isDirty) => setDirty(id, isDirty), [id]);
}

/** Asks whether what was typed may be thrown away. */
export function useAskToDiscard(): () => Promise<boolean> {
  const confirm = useConfirm();
  return () =>
    confirm({
      title: 'common.dirty.title',
      content: 'common.dirty.content',
      confirm: 'common.dirty.discard',
      cancel: 'common.dirty.stay',
      danger: true,
    });
}

/** Whether one may leave now: asks when a form is dirty, and lets go of what was typed when the answer is yes. */
export function useMayLeave(): () => Promise<boolean> {
  const ask = useAskToDiscard();
  return async () => {
    if (dirtyForms.get().size > 0 && !(await ask())) return false;
    dirtyForms.set(new Set());
    return true;
  };
}

function Blocker() {
  const ask = useAskToDiscard();
  const shouldBlock = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && dirtyForms.get().size > 0,
    [],
  );
  const blocker = useBlocker(shouldBlock);
  const decide = useEffectEvent(async (isCurrent: () => boolean) => {
    const leaves = await ask();
    if (!isCurrent() || blocker.state !== 'blocked') return;
    if (leaves) blocker.proceed();
    else blocker.reset();
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    let isCurrent = true;
    void decide(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [blocker.state]);
  useBeforeUnload(useCallback((event) => event.preventDefault(), []));
  return null;
}

/** Stands once above all screens (the router follows a single blocker): it guards every registered form while one is dirty. */
export function DirtyGuard({ children }: { children: ReactNode }) {
  const isDirty = useSyncExternalStore(dirtyForms.subscribe, () => dirtyForms.get().size > 0);
  return (
    <>
      {isDirty && <Blocker />}
      {children}
    </>
  );
}

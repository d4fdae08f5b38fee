import { PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxTargets, type Target } from '../../../../contract/codes/live-code.ts';
import { rotationMode, type TargetKind } from '../../../../contract/enums.ts';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { SortableList } from '../../../kit/list/SortableList.tsx';
import { targetKindChoices } from '../../choices.ts';
import { useLiveTargets } from '../live.ts';
import { copyTarget, newTarget, type TargetValues } from '../values.ts';
import { type TargetActions, TargetRow } from './TargetRow.tsx';

type TargetListProps = {
  /** Keys of the targets whose fields are shown. */
  open: ReadonlySet<string>;
  setOpen: (change: (present: ReadonlySet<string>) => ReadonlySet<string>) => void;
  refill?: (targetId: number) => void;
  look: (key: string) => void;
};

/** The targets in their order: dragged by pointer or keyboard, opened one by one or all. */
export function TargetList(props: TargetListProps) {
  const { form, onValuesChange } = useFormContext();
  const live = useLiveTargets();
  const isRandom = Form.useWatch('rotation_mode', { form, preserve: true }) === rotationMode.random;
  const targetAt = (index: number): TargetValues | undefined => form.getFieldValue(['targets', index]);

  function insert(target: TargetValues, index: number, add: (target: TargetValues, index: number) => void) {
    add(target, index);
    onValuesChange();
    props.setOpen((present) => new Set(present).add(target.key));
    // The new row's fields stand after the next render.
    setTimeout(() => form.scrollToField(['targets', index, 'content'], { focus: true, block: 'center' }));
  }

  return (
    <Form.List name="targets">
      {(fields, list) => (
        <SortableTargets
          {...props}
          isRandom={isRandom}
          keys={fields.map((field) => targetAt(field.name)?.key ?? String(field.key))}
          liveAt={(index) => live.get(targetAt(index)?.id ?? 0)}
          add={(kind) => insert(newTarget(kind), fields.length, list.add)}
          duplicate={(index) => {
            const original = targetAt(index);
            if (original) insert(copyTarget(original), index + 1, list.add);
          }}
          remove={(index) => {
            list.remove(index);
            onValuesChange();
          }}
          move={(from, to) => {
            list.move(from, to);
            onValuesChange();
          }}
        />
      )}
    </Form.List>
  );
}

type SortableProps = TargetListProps & {
  keys: readonly string[];
  isRandom: boolean;
  liveAt: (index: number) => Target | undefined;
  add: (kind: TargetKind) => void;
  duplicate: (index: number) => void;
  remove: (index: number) => void;
  move: (from: number, to: number) => void;
};

function SortableTargets(props: SortableProps) {
  const { open, setOpen, isRandom, liveAt } = props;
  // The same list as long as it holds the same: a new one would draw every row anew.
  const joined = props.keys.join(' ');
  const keys = useMemo(() => joined.split(' ').filter(Boolean), [joined]);
  const built = useGrowing(keys.length);
  const expand = useExpanding(setOpen);
  const { t } = useTranslation();
  const actions = useStableActions(props);
  const isAllOpen = keys.length > maxExpanded || keys.every((key) => open.has(key));

  return (
    <>
      <SortableList keys={keys} move={props.move}>
        <ol className="lc-code-targets">
          {keys.map((key, index) =>
            index >= built && !open.has(key) ? (
              <li key={key} className="lc-code-target lc-code-target-coming" aria-hidden />
            ) : (
              <TargetRow
                key={key}
                rowKey={key}
                index={index}
                isOpen={open.has(key)}
                isOnly={keys.length === 1}
                isRandom={isRandom}
                live={liveAt(index)}
                actions={actions}
              />
            ),
          )}
        </ol>
      </SortableList>
      <div className="lc-code-target-add">
        {targetKindChoices.map(({ value }) => (
          <Button key={value} icon={<PlusOutlined />} disabled={keys.length >= maxTargets} onClick={() => props.add(value)}>
            {t(`set_qr_code.target.add.${value}`)}
          </Button>
        ))}
        {keys.length > 1 && (keys.length <= maxExpanded || open.size > 0) && (
          <Button type="link" onClick={() => (isAllOpen ? setOpen(() => new Set()) : expand(keys))}>
            {t(isAllOpen ? 'set_qr_code.target.collapse_all' : 'set_qr_code.target.expand_all')}
          </Button>
        )}
      </div>
    </>
  );
}

const rowsAtOnce = 8;
/** Of so many targets all can be opened at once; of more, each by itself. */
const maxExpanded = 20;

/** How many of so many rows are built: some at once, the others in steps between which the page answers. */
function useGrowing(total: number): number {
  const [built, setBuilt] = useState(rowsAtOnce);
  useEffect(() => {
    if (built >= total) return;
    const timer = setTimeout(() => setBuilt(built + rowsAtOnce), 30);
    return () => clearTimeout(timer);
  }, [built, total]);
  return built;
}

const openedAtOnce = 2;

/** Opens many targets in steps: a hundred with all their fields take seconds to build. */
function useExpanding(setOpen: TargetListProps['setOpen']): (keys: readonly string[]) => void {
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  useEffect(() => {
    if (waiting.length === 0) return;
    const timer = setTimeout(() => {
      setOpen((present) => new Set([...present, ...waiting.slice(0, openedAtOnce)]));
      setWaiting(waiting.slice(openedAtOnce));
    }, 20);
    return () => clearTimeout(timer);
  }, [waiting, setOpen]);
  return setWaiting;
}

/** The same functions at every render, so that a hundred rows don't follow each key typed in one of them. */
function useStableActions(props: SortableProps): TargetActions {
  const latest = useRef(props);
  latest.current = props;
  const mayRefill = props.refill !== undefined;
  return useMemo(
    () => ({
      toggle: (key) =>
        latest.current.setOpen((present) => {
          const next = new Set(present);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      duplicate: (index) => latest.current.duplicate(index),
      remove: (index) => latest.current.remove(index),
      look: (key) => latest.current.look(key),
      ...(mayRefill ? { refill: (id: number) => latest.current.refill?.(id) } : {}),
    }),
    [mayRefill],
  );
}

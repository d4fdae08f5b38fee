import { PictureOutlined } from '@ant-design/icons';
import { Tree, type TreeDataNode } from 'antd';
import {
  type ComponentRef,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type Category, maxDepth } from '../../contract/content/mall-category-list.ts';
import { showStatus } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Empty, Status } from '../kit/feedback.ts';
import { RowActions } from '../kit/list/RowActions.tsx';
import { DragHandle } from '../kit/list/SortableList.tsx';
import type { RowAction } from '../kit/list/types.ts';
import { withBelow } from './categories.ts';
import { type Gap, type Place, useRowDrag } from './useRowDrag.ts';

type Node = TreeDataNode & { row: Category; children: Node[] };

/** The tree of the categories, of which a search leaves what it finds and what that lies below. */
function treeOf(categories: readonly Category[], search: string): Node[] {
  const words = search.toLowerCase();
  const isFound = ({ titles }: Category) => titles.some(({ title }) => title.toLowerCase().includes(words));
  const byId = new Map(categories.map((row) => [row.id, row]));
  const shown = new Set<number>();
  for (const row of categories.filter(isFound))
    for (let at: Category | undefined = row; at && !shown.has(at.id); at = at.superior_id === null ? undefined : byId.get(at.superior_id))
      shown.add(at.id);
  const nodes = new Map(
    categories
      .filter(({ id }) => shown.has(id))
      .map((row): [number, Node] => [row.id, { key: row.id, title: row.title, row, children: [] }]),
  );
  for (const node of nodes.values()) if (node.row.superior_id !== null) nodes.get(node.row.superior_id)?.children.push(node);
  return [...nodes.values()].filter(({ row }) => row.superior_id === null);
}

/** How many products each category has with all below it. */
function totalsOf(categories: readonly Category[]): ReadonlyMap<number, number> {
  const totals = new Map(categories.map(({ id, products }) => [id, products]));
  // Those below come after their superior: from the end each hands on what it has.
  for (const { id, superior_id } of categories.toReversed())
    if (superior_id !== null) totals.set(superior_id, (totals.get(superior_id) ?? 0) + (totals.get(id) ?? 0));
  return totals;
}

/** Where a category comes to stand that is dropped on, before or after another one. */
function placeOf(row: Category, target: Category, gap: Gap, categories: readonly Category[]) {
  if (gap === 0) return { superior_id: target.id, before_id: null };
  const siblings = categories.filter(({ id, superior_id }) => superior_id === target.superior_id && id !== row.id);
  const at = siblings.findIndex(({ id }) => id === target.id);
  return { superior_id: target.superior_id, before_id: (gap < 0 ? target : siblings[at + 1])?.id ?? null };
}

/** What a category lies below, if it is there. */
function superiorsOf(id: number, categories: readonly Category[]): number[] | undefined {
  const row = categories.find((one) => one.id === id);
  if (!row) return undefined;
  return row.superior_id === null ? [] : [...(superiorsOf(row.superior_id, categories) ?? []), row.superior_id];
}

type Props = {
  categories: readonly Category[];
  search: string;
  acts: readonly RowAction<Category>[];
  /** Asks where a category belongs, for those who do not drag; undefined where the user may not move any. */
  ask: ((row: Category) => void) | undefined;
  /** One that was just made: it is brought in sight. */
  added: number | null;
  onShown: () => void;
};

/** Long trees are drawn as far as they are in sight; what is dragged is moved at once, and can be taken back. */
export function CategoryTree({ categories, search, acts, ask, added, onShown }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<readonly React.Key[] | null>(null);
  const { box, height } = useHeight();
  const nodes = treeOf(categories, search);
  const totals = totalsOf(categories);
  // A short tree is open at first, a long one by its first level; a search opens what it found.
  const all = categories.filter(({ children }) => children > 0).map(({ id }) => id);
  const expanded = search !== '' ? all : (opened ?? (categories.length > 200 ? [] : all));
  const open = (id: number) => !expanded.includes(id) && setOpened([...expanded, id]);
  const { drag, start, wasDragged } = useMoving({ box, categories, expanded, open });
  // What a search left out has its place, too: among what is shown nobody could tell which.
  const mayDrag = ask !== undefined && search === '';
  const tree = useRef<ComponentRef<typeof Tree>>(null);
  const show = useEffectEvent(() => {
    const superiors = added === null ? undefined : superiorsOf(added, categories);
    if (!superiors) return;
    const closed = superiors.filter((id) => !expanded.includes(id));
    if (closed.length > 0) return setOpened([...expanded, ...closed]);
    tree.current?.scrollTo({ key: added ?? 0 });
    onShown();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is there when the categories were read again, in sight when those above it are open.
  useEffect(() => show(), [added, categories, opened]);

  return (
    <div ref={box} className={drag ? 'lc-mall-tree lc-mall-dragging' : 'lc-mall-tree'}>
      {nodes.length === 0 && <Empty title="common.nothing_found" />}
      <Tree<Node>
        ref={tree}
        treeData={nodes}
        height={height}
        itemHeight={44}
        blockNode
        selectable={false}
        aria-label={t('menu.mall_category_list')}
        expandedKeys={[...expanded]}
        onExpand={(keys) => setOpened(keys)}
        titleRender={({ row }) => (
          <Row
            row={row}
            products={totals.get(row.id) ?? 0}
            acts={acts}
            mark={drag?.place?.id === row.id ? drag.place.gap : drag?.id === row.id ? 'lifted' : undefined}
            {...(mayDrag ? { start: (event: PointerEvent) => start(event, row.id), move: () => !wasDragged() && ask(row) } : {})}
          />
        )}
      />
      {drag && <Lifted {...drag} categories={categories} />}
    </div>
  );
}

type Moving = {
  box: RefObject<HTMLElement | null>;
  categories: readonly Category[];
  expanded: readonly React.Key[];
  open: (id: number) => void;
};

/** What dragging does with categories. */
function useMoving({ box, categories, expanded, open }: Moving) {
  const move = useAction(api.mall_category_list.move);
  const rowOf = (id: number) => categories.find((row) => row.id === id);

  function drop(id: number, { id: target, gap }: Place) {
    const [row, other] = [rowOf(id), rowOf(target)];
    if (!row || !other) return;
    const siblings = categories.filter(({ superior_id }) => superior_id === row.superior_id);
    const next = siblings[siblings.findIndex((one) => one.id === id) + 1];
    const now = { superior_id: row.superior_id, before_id: next?.id ?? null };
    const then = placeOf(row, other, gap, categories);
    if (then.superior_id === now.superior_id && then.before_id === now.before_id) return;
    void move.run({ id, ...then }, { name: row.title, undo: { id, ...now } });
    if (gap === 0) open(target);
  }
  /** The server decides; what it would refuse is not offered. */
  function mayDrop(row: Category, target: Category, gap: Gap) {
    const ids = withBelow(row.id, categories);
    const height = Math.max(...categories.filter((one) => ids.has(one.id)).map(({ level }) => level)) - row.level + 1;
    return !ids.has(target.id) && (gap === 0 ? target.level : target.level - 1) + height <= maxDepth;
  }
  function placeAt(id: number, target: number, gap: Gap): Place | null {
    const [row, other] = [rowOf(id), rowOf(target)];
    if (!row || !other) return null;
    // Below an open category is the first place in it.
    const first = gap === 1 && expanded.includes(target) ? categories.find(({ superior_id }) => superior_id === target) : undefined;
    if (first) return mayDrop(row, first, -1) ? { id: first.id, gap: -1 } : null;
    return mayDrop(row, other, gap) ? { id: target, gap } : null;
  }
  return useRowDrag({ box, placeAt, drop, rest: (id) => (rowOf(id)?.children ?? 0) > 0 && open(id) });
}

const places = { '-1': 'drop_before', '0': 'drop_into', '1': 'drop_after' } as const;

/** What is dragged, beside the pointer, and what letting go would do. */
function Lifted({
  id,
  x,
  y,
  place,
  categories,
}: {
  id: number;
  x: number;
  y: number;
  place: Place | null;
  categories: readonly Category[];
}) {
  const { t } = useTranslation();
  const titleOf = (one: number) => categories.find((row) => row.id === one)?.title ?? '';
  return (
    <div className="lc-mall-lifted" style={{ left: Math.min(x + 16, window.innerWidth - 236), top: y + 14 }}>
      <b>{titleOf(id)}</b>
      <span role="status" className="lc-soft">
        {t(`mall_category_list.${place ? places[place.gap] : 'drop_nowhere'}`, { name: place ? titleOf(place.id) : '' })}
      </span>
    </div>
  );
}

type RowProps = {
  row: Category;
  products: number;
  acts: readonly RowAction<Category>[];
  mark: Gap | 'lifted' | undefined;
  start?: (event: PointerEvent) => void;
  move?: () => void;
};
const marks = { '-1': 'lc-mall-before', '0': 'lc-mall-into', '1': 'lc-mall-after', lifted: 'lc-mall-is-lifted' } as const;

function Row({ row, products, acts, mark, start, move }: RowProps) {
  const { t } = useTranslation();
  const others = row.titles.map(({ title }) => title).filter((title) => title !== row.title);
  // A finger on the row scrolls: it drags by the handle. A mouse takes the row anywhere.
  const startAnywhere = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && !(event.target as Element).closest('button, a')) start?.(event);
  };
  // Enter on a button presses it: antd's tree would open the row instead.
  const keepEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handle does the same for keyboards and fingers.
    <span
      data-row={row.id}
      className={['lc-mall-category', start && 'lc-mall-movable', mark !== undefined && marks[mark]].filter(Boolean).join(' ')}
      onPointerDown={start && startAnywhere}
      onKeyDown={keepEnter}
    >
      {start && <DragHandle label={t('mall_category_list.move_title', { name: row.title })} onPointerDown={start} onClick={move} />}
      {row.icon_url ? (
        <img className="lc-mall-icon" src={row.icon_url} alt="" loading="lazy" draggable={false} />
      ) : (
        <PictureOutlined className="lc-mall-icon lc-mall-no-icon" aria-hidden />
      )}
      <b className="lc-mall-title">{row.title}</b>
      <span className="lc-soft lc-mall-others">{others.join(' · ')}</span>
      <span className="lc-soft lc-num">{t('mall_category_list.products', { count: products })}</span>
      {row.show_status === showStatus.hidden && <Status kind="neutral" label="common.hidden" />}
      <RowActions row={row} actions={acts} />
    </span>
  );
}

/** The room there is for the tree: it draws only rows in sight, and must know how many these are. */
function useHeight() {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(480);
  useEffect(() => {
    const measure = () => {
      const top = box.current?.getBoundingClientRect().top ?? 0;
      setHeight(Math.max(240, window.innerHeight - top - 24));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return { box, height };
}

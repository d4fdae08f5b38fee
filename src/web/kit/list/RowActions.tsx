import { EllipsisOutlined } from '@ant-design/icons';
import { Button, type MenuProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { useText } from '../texts/text.ts';
import type { RowAction } from './types.ts';

const shownActions = 3;

type MenuEntries = NonNullable<MenuProps['items']>;

export const labelOf = <Row,>(action: RowAction<Row>, row: Row): string =>
  typeof action.label === 'function' ? action.label(row) : action.label;

/**
 * The acts a row offers: three at most side by side, or two and the rest in a menu. Where some stand under titles, these are in the menu
 * and the others beside it.
 */
export function splitActions<Row>(row: Row, actions: readonly RowAction<Row>[]) {
  const possible = actions.filter((action) => action.visible?.(row) ?? true);
  const ungrouped = possible.filter((action) => action.group === undefined).slice(0, shownActions);
  if (ungrouped.length < possible.length && possible.some((action) => action.group !== undefined))
    return { direct: ungrouped, rest: possible.filter((action) => !ungrouped.includes(action)) };
  const direct = possible.length > shownActions ? possible.slice(0, shownActions - 1) : possible;
  return { direct, rest: possible.slice(direct.length) };
}

/** What can be done to one row: three acts at most, the rest in a menu. */
export function RowActions<Row>({ row, actions }: { row: Row; actions: readonly RowAction<Row>[] }) {
  const { t } = useTranslation();
  const text = useText();
  const { direct, rest } = splitActions(row, actions);
  const words = (action: RowAction<Row>) => text(labelOf(action, row));
  const entry = (action: RowAction<Row>) => ({
    key: action.key,
    label: words(action),
    icon: action.icon,
    danger: action.danger,
    disabled: action.disabled?.(row),
    onClick: () => action.onClick(row),
  });
  return (
    // The row itself may react to clicks (selection, opening); an action must not do both.
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the buttons inside.
    <span className="lc-row-actions" onClick={(event) => event.stopPropagation()}>
      {direct.map((action) => (
        <Button
          key={action.key}
          type="link"
          size="small"
          danger={action.danger}
          disabled={action.disabled?.(row)}
          onClick={() => action.onClick(row)}
        >
          {words(action)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown
          menu={{
            items: [...Map.groupBy(rest, (action) => action.group)].flatMap(
              ([group, acts]): MenuEntries =>
                group === undefined ? acts.map(entry) : [{ type: 'group', key: group, label: text(group), children: acts.map(entry) }],
            ),
          }}
        >
          <Button type="text" size="small" icon={<EllipsisOutlined />} aria-label={t('common.more_actions')} />
        </Dropdown>
      )}
    </span>
  );
}

import { SearchOutlined } from '@ant-design/icons';
import { Button, Checkbox, Input, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleNode } from '../../../contract/people/role.ts';
import { Empty } from '../../kit/feedback.ts';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { type Chosen, choose, isFixed, permissionsOf, searchTree, ticksOf } from './nodeTree.ts';
import { ScreenRow } from './ScreenRow.tsx';

type PermissionTreeProps = {
  tree: readonly RoleNode[];
  chosen: Chosen;
  /** Left out where nothing may be changed. */
  onChoose: ((chosen: Chosen) => void) | undefined;
  onAsk: (screen: RoleNode) => void;
};

const platformsOf = (tree: readonly RoleNode[]) => [...new Set(tree.map((node) => node.platform))].sort((a, b) => a - b);

/** Everything that can be given to a role, one platform at a time: groups of screens, each screen with its buttons. */
export function PermissionTree({ tree, chosen, onChoose, onAsk }: PermissionTreeProps) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const [search, setSearch] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const platforms = platformsOf(tree);
  const [platform, setPlatform] = useState(platforms[0] ?? 1);

  const sought = search.trim().toLowerCase();
  const found = searchTree(
    tree.filter((group) => group.platform === platform),
    (node) => sought === '' || nameOf(node).toLowerCase().includes(sought) || node.path.toLowerCase().includes(sought),
  );
  // Only screens that are open, each with all its buttons: what is missing there is part of the answer.
  const groups = onlyChosen ? searchTree(found, (node) => node.path !== '' && chosen.has(node.id)) : found;

  return (
    <>
      <div className="lc-role-bar">
        <Segmented
          value={platform}
          options={platforms.map((value) => ({ value, label: t(`role.platform_${value}`) }))}
          onChange={setPlatform}
          aria-label={t('role.platform')}
        />
        <Input
          className="lc-role-search"
          prefix={<SearchOutlined aria-hidden />}
          placeholder={t('role.search_nodes')}
          aria-label={t('role.search_nodes')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          allowClear
        />
        <Checkbox checked={onlyChosen} onChange={(event) => setOnlyChosen(event.target.checked)}>
          {t('role.only_chosen')}
        </Checkbox>
      </div>
      {groups.length === 0 && <Empty picture="search" title="common.nothing_found" />}
      {groups.map((group) => {
        const ticks = ticksOf(group, chosen);
        const name = nameOf(group);
        return (
          <section key={group.id} className="lc-role-group" aria-label={name}>
            <header>
              <Checkbox
                checked={ticks.state === 'all'}
                indeterminate={ticks.state === 'some'}
                disabled={!onChoose || permissionsOf(group).every(isFixed)}
                onChange={() => onChoose?.(choose(chosen, group, ticks.state !== 'all'))}
              >
                <strong>{name}</strong>
              </Checkbox>
              <span className="lc-soft lc-num">
                {ticks.chosen} / {ticks.total}
              </span>
              {onChoose && (
                <span className="lc-role-tools">
                  <Button type="link" size="small" disabled={ticks.state === 'all'} onClick={() => onChoose(choose(chosen, group, true))}>
                    {t('role.select_below')}
                  </Button>
                  <Button type="link" size="small" disabled={ticks.state === 'none'} onClick={() => onChoose(choose(chosen, group, false))}>
                    {t('role.clear_below')}
                  </Button>
                </span>
              )}
            </header>
            {group.children.map((screen) => (
              <ScreenRow key={screen.id} screen={screen} chosen={chosen} onChoose={onChoose} onAsk={onAsk} />
            ))}
          </section>
        );
      })}
    </>
  );
}

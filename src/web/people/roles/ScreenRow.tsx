import { EyeOutlined, TeamOutlined } from '@ant-design/icons';
import { Button, Checkbox, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RoleNode } from '../../../contract/people/role.ts';
import { MenuIcon } from '../../kit/shell/icons.tsx';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { type Chosen, choose, chooseViewOnly, isFixed, permissionsOf, ticksOf } from './nodeTree.ts';

type ScreenRowProps = {
  screen: RoleNode;
  chosen: Chosen;
  /** Left out where nothing may be changed. */
  onChoose: ((chosen: Chosen) => void) | undefined;
  onAsk: (screen: RoleNode) => void;
};

/** One screen with its buttons: a half tick says that only some of them are given. */
export function ScreenRow({ screen, chosen, onChoose, onAsk }: ScreenRowProps) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const { state } = ticksOf(screen, chosen);
  const isOpen = chosen.has(screen.id);
  const isViewOnly = isOpen && screen.children.every((button) => !chosen.has(button.id));
  const name = nameOf(screen);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay its legend out beside the tools.
    <div className="lc-role-screen" role="group" aria-label={name}>
      <div className="lc-role-screen-head">
        <Checkbox
          checked={state === 'all'}
          indeterminate={state === 'some'}
          disabled={!onChoose || permissionsOf(screen).every(isFixed)}
          onChange={() => onChoose?.(choose(chosen, screen, state !== 'all'))}
        >
          <span className="lc-role-screen-name">
            <span aria-hidden>
              <MenuIcon name={screen.icon} />
            </span>{' '}
            {name}
          </span>
        </Checkbox>
        <span className="lc-role-tools">
          {onChoose && screen.children.length > 0 && (
            <Tooltip title={t('role.view_only_help')}>
              <Button
                type="text"
                size="small"
                icon={<EyeOutlined />}
                disabled={isViewOnly || isFixed(screen)}
                aria-label={t('role.view_only_of', { name })}
                onClick={() => onChoose(chooseViewOnly(chosen, screen))}
              >
                {t('role.view_only')}
              </Button>
            </Tooltip>
          )}
          <Tooltip title={t('role.who')}>
            <Button
              type="text"
              size="small"
              icon={<TeamOutlined />}
              aria-label={t('role.who_of', { name })}
              onClick={() => onAsk(screen)}
            />
          </Tooltip>
        </span>
      </div>
      {screen.children.length > 0 && (
        <div className="lc-role-buttons">
          {screen.children.map((button) => (
            <Checkbox
              key={button.id}
              checked={chosen.has(button.id)}
              disabled={!onChoose || isFixed(button) || (!isOpen && isFixed(screen))}
              onChange={(event) => onChoose?.(choose(chosen, button, event.target.checked, screen))}
            >
              {nameOf(button)}
            </Checkbox>
          ))}
        </div>
      )}
    </div>
  );
}

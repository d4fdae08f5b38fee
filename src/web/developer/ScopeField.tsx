import { Button, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MenuItem } from '../../contract/people/admin.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useNodeName } from '../kit/shell/nodeName.ts';
import './developer.css';

/** What only a person may do: a token gains nothing by it. */
const forPersons = new Set(['api_token', 'update_password']);

type Screen = MenuItem & { buttons: MenuItem[] };
const screensOf = (group: MenuItem): Screen[] =>
  group.children
    .filter((screen) => screen.path !== '' && !forPersons.has(screen.path))
    .map((screen) => ({ ...screen, buttons: screen.children }));
const nodesOf = ({ path, buttons }: Screen): string[] => [path, ...buttons.map((button) => button.path)];

type ScopeFieldProps = { id?: string; value: readonly string[]; onChange: (nodes: string[]) => void };

/** What a token may do, of everything that its owner may: screens to read, and the buttons on them. */
export function ScopeField({ id, value, onChange }: ScopeFieldProps) {
  const { t } = useTranslation();
  const { menu } = useSession();
  const nameOf = useNodeName();
  const chosen = new Set(value);
  const groups = menu.map((group) => ({ group, screens: screensOf(group) })).filter(({ screens }) => screens.length > 0);
  const all = groups.flatMap(({ screens }) => screens);
  const give = (nodes: readonly string[], isGiven: boolean) => {
    const changed = new Set(chosen);
    for (const node of nodes) {
      if (isGiven) changed.add(node);
      else changed.delete(node);
    }
    onChange([...changed]);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay its parts out in rows.
    <div id={id} className="lc-scope" role="group" aria-label={t('api_token.nodes')}>
      <div className="lc-scope-bar">
        <Button size="small" onClick={() => onChange(all.map((screen) => screen.path))}>
          {t('api_token.read_only')}
        </Button>
        <Button size="small" onClick={() => onChange(all.flatMap(nodesOf))}>
          {t('api_token.everything')}
        </Button>
        <Button size="small" onClick={() => onChange([])} disabled={value.length === 0}>
          {t('api_token.nothing')}
        </Button>
        <span className="lc-soft lc-num">{t('api_token.chosen', { number: value.length })}</span>
      </div>
      <div className="lc-scope-list">
        {groups.map(({ group, screens }) => {
          const name = nameOf(group);
          return (
            <section key={group.id} aria-label={name}>
              <h3>{name}</h3>
              {screens.map((screen) => (
                <div key={screen.id} className="lc-scope-screen">
                  <Checkbox
                    checked={chosen.has(screen.path)}
                    // Acting without reading is seldom meant; the buttons go with their screen.
                    onChange={({ target }) => give(target.checked ? [screen.path] : nodesOf(screen), target.checked)}
                  >
                    {nameOf(screen)}
                  </Checkbox>
                  <div className="lc-scope-buttons">
                    {screen.buttons.map((button) => (
                      <Checkbox
                        key={button.id}
                        checked={chosen.has(button.path)}
                        onChange={({ target }) => give(target.checked ? [screen.path, button.path] : [button.path], target.checked)}
                      >
                        {nameOf(button)}
                      </Checkbox>
                    ))}
                  </div>
                </div>
              ))}
            </section>
          );
        })}
      </div>
    </div>
  );
}

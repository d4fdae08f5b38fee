import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RoleNode } from '../../../contract/people/role.ts';
import { useFullName } from './nodeName.ts';
import { permissionsOf } from './nodeTree.ts';

type PermissionDifferenceProps = { tree: readonly RoleNode[]; added: readonly RoleNode[]; removed: readonly RoleNode[]; userCount: number };

/** What saving gives and takes, before it is done. */
export function PermissionDifference({ tree, added, removed, userCount }: PermissionDifferenceProps) {
  const { t } = useTranslation();
  const nameOf = useFullName(tree.flatMap(permissionsOf));
  return (
    <div className="lc-role-difference">
      <Alert type={removed.length > 0 ? 'warning' : 'info'} showIcon title={t('role.affected', { number: userCount })} />
      {added.length > 0 && (
        <section>
          <h3 className="lc-role-added">{t('role.added', { number: added.length })}</h3>
          <ul>
            {added.map((node) => (
              <li key={node.id}>{nameOf(node)}</li>
            ))}
          </ul>
        </section>
      )}
      {removed.length > 0 && (
        <section>
          <h3 className="lc-role-removed">{t('role.removed', { number: removed.length })}</h3>
          <ul>
            {removed.map((node) => (
              <li key={node.id}>{nameOf(node)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domains/domain-list.ts';
import './domains.css';

export function DomainType({ row }: { row: Pick<Domain, 'type' | 'wildcard'> }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`domain_list.type_${row.type}`)} {row.wildcard && <Tag>{t('domain_list.wildcard')}</Tag>}
    </>
  );
}

export function Holder({ row }: { row: Pick<Domain, 'holder_account'> }) {
  const { t } = useTranslation();
  return row.holder_account ?? <span className="lc-soft">{t('domain_list.pool')}</span>;
}

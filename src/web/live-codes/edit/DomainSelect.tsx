import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DomainOption } from '../../../contract/domains/domain-list.ts';
import { domainType } from '../../../contract/enums.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { DomainLine, useDomainOptions } from '../../kit/domainChoice.tsx';
import { hostLabel } from '../../kit/host.ts';
import { holdsTyped } from '../../kit/options.ts';
import type { PresentDomain } from '../choices.ts';
import type { DomainChoice } from './values.ts';

type DomainSelectProps = {
  type: 'entry' | 'landing';
  /** Whose domains are offered; undefined: the caller's own. */
  ownerId?: number;
  /** The domain that the code has now: it is named even where it may no longer be chosen. */
  present?: PresentDomain;
  /** Offers to leave the choice to the server, which is possible while a code is made. */
  offersAuto?: boolean;
  /** Offers to keep each code's own domain, where many codes are changed at once. */
  offersKeep?: boolean;
  id?: string;
  value?: DomainChoice | 'keep';
  onChange?: (value: DomainChoice | 'keep') => void;
  'aria-describedby'?: string;
};

type Entry = { value: DomainChoice | 'keep'; label: string; option?: DomainOption };

/** A domain of the caller or of the platform pool, with its block status. */
export function DomainSelect({ type, ownerId, present = null, offersAuto, offersKeep, ...control }: DomainSelectProps) {
  const { t } = useTranslation();
  const found = useDomainOptions(domainType[type], ownerId);
  const domains = found.data?.content ?? [];
  const proposed = domains.find(({ risk }) => risk === null);
  const entry = (option: DomainOption): Entry => ({ value: option.id, label: hostLabel(option), option });
  const special: Entry[] = [
    ...(offersKeep ? [{ value: 'keep' as const, label: t('qr_code_list.domain.keep') }] : []),
    ...(offersAuto ? [{ value: 'auto' as const, label: t('set_qr_code.domain.auto') }] : []),
    { value: 'none', label: t(`set_qr_code.domain.none_${type}`) },
  ];
  if (present && !domains.some((option) => option.id === present.id)) special.push({ value: present.id, label: hostLabel(present) });
  const groups = [
    { key: 'own', title: t('set_qr_code.domain.own'), options: domains.filter((option) => option.holder_id !== null).map(entry) },
    { key: 'pool', title: t('domain_list.pool'), options: domains.filter((option) => option.holder_id === null).map(entry) },
  ].filter((group) => group.options.length > 0);

  return (
    <Select<Entry['value'], Entry>
      {...control}
      className="lc-wide"
      loading={found.isFetching}
      showSearch={{ filterOption: holdsTyped }}
      options={[...special, ...(groups.map(({ key, title, options }) => ({ key, label: title, title, options })) as unknown as Entry[])]}
      notFoundContent={found.isError ? failureText(found.error) : undefined}
      optionRender={({ data }) => (
        <DomainLine label={data.label} option={data.option} proposed={data.option !== undefined && data.option === proposed} />
      )}
    />
  );
}

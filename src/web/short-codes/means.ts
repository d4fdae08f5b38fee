import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { hostLabel } from '../kit/host.ts';
import type { Option } from '../kit/options.ts';

/** A short domain or a platform as one value of one choice: `domain:3`, `platform:7`; empty is the first healthy domain. */
export function meansInput(value: unknown): { domain_id?: number; platform_id?: number } {
  const [kind, id] = String(value ?? '').split(':');
  if (!id) return {};
  return kind === 'platform' ? { platform_id: Number(id) } : { domain_id: Number(id) };
}

type MeansGroup = { label: string; options: { value: string; label: string }[] };

type Means = { groups: MeansGroup[]; isPending: boolean; error: Error | null; isNowhere: boolean };

/** Every way in which the caller can make links, in groups; `isNowhere` says that there is none, once all are known. */
export function useMeans(owner_id?: number): Means {
  const { t } = useTranslation();
  const domains = useCall(api.short_code.domains, owner_id === undefined ? {} : { owner_id });
  const platforms = useCall(api.url_key_platform.inquire, { data_only: true });
  const own = (domains.data?.content ?? []).map((row) => ({
    value: `domain:${row.id}`,
    label: row.is_blocked ? t('short_code.blocked_host', { host: hostLabel(row) }) : hostLabel(row),
  }));
  const made = (platforms.data?.content ?? []).map(({ id, name, type }) => ({
    value: `platform:${id}`,
    label: `${name} · ${t(`url_key_platform.type_${type}`)}`,
  }));
  const groups = [
    ...(own.length > 0
      ? [{ label: t('short_code.own_domains'), options: [{ value: '', label: t('short_code.first_domain') }, ...own] }]
      : []),
    ...(made.length > 0 ? [{ label: t('short_code.platforms'), options: made }] : []),
  ];
  return {
    groups,
    isPending: domains.isPending || platforms.isPending,
    error: domains.error ?? platforms.error,
    isNowhere: domains.isSuccess && platforms.isSuccess && groups.length === 0,
  };
}

/** The input names a means by one of two fields, for which a form has one. */
export const meansFields = { domain_id: 'means', platform_id: 'means' } as const;

export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export type KnownCodes = readonly Option[];

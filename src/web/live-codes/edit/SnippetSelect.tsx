import { Select, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { maximumSnippets } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { useCall } from '../../kit/calls/query.ts';
import type { ControlProps } from '../../kit/form/controls.tsx';

type SnippetSelectProps = ControlProps<number[]> & {
  /** Whose snippets are offered; undefined: the caller's own. */
  ownerId: number | undefined;
};

/** The owner's snippets that run on this code's pages; those that run on all pages anyway are named, but not to choose. */
export function SnippetSelect({ ownerId, value = [], onChange, ...control }: SnippetSelectProps) {
  const { t } = useTranslation();
  const found = useCall(api.js_config.options, ownerId === undefined ? {} : { owner_id: ownerId });
  const snippets = found.data?.content ?? [];
  const gone = found.data ? value.filter((id) => !snippets.some((snippet) => snippet.id === id)) : [];
  return (
    <Select
      {...control}
      mode="multiple"
      className="lc-wide"
      value={value}
      maxCount={maximumSnippets}
      loading={found.isFetching}
      placeholder={t('set_qr_code.snippets.none')}
      optionFilterProp="name"
      onChange={(chosen: number[]) => onChange?.(chosen)}
      notFoundContent={found.isError ? failureText(found.error) : t('set_qr_code.snippets.nothing')}
      options={[
        ...snippets.map(({ id, name, approval, enabled, all_codes }) => ({
          value: id,
          name,
          disabled: all_codes,
          label: (
            <>
              {name} {all_codes && <Tag>{t('set_qr_code.snippets.all_codes')}</Tag>}
              {!enabled && <Tag>{t('set_qr_code.snippets.off')}</Tag>}
              {approval !== 'approved' && <Tag color="warning">{t(`set_qr_code.snippets.${approval}`)}</Tag>}
            </>
          ),
        })),
        ...gone.map((id) => ({ value: id, name: '', label: t('set_qr_code.snippets.gone') })),
      ]}
    />
  );
}

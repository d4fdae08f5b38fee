import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OutputOf } from '../../contract/kit/call.ts';
import type { jsConfig, Snippet } from '../../contract/links/js-config.ts';
import { api } from '../kit/calls/api.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { type Column, ListTable } from '../kit/ListPage.tsx';

type Code = OutputOf<(typeof jsConfig)['calls']['codes']>['content'][number];

const columns: Column<Code>[] = [
  {
    key: 'name',
    title: 'js_config.code_name',
    sortable: true,
    width: 260,
    card: 'title',
    render: (row) => <Link to={`/customer/set_qr_code?id=${row.id}`}>{row.name}</Link>,
  },
  { key: 'file_name', title: 'js_config.file_name', width: 160, card: 'field', render: (row) => <code>{row.file_name}</code> },
];

/** The codes that chose a snippet. */
export function SnippetCodes({ snippet, onClose }: { snippet: Snippet; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open title={t('js_config.codes_of', { name: snippet.name })} size={560} onClose={onClose}>
      <ListTable
        list={api.js_config.codes}
        columns={columns}
        fixedInput={{ js_config_id: snippet.id }}
        name="js_config.codes"
        empty={{ title: 'js_config.no_codes' }}
      />
    </Drawer>
  );
}

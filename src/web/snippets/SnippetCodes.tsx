import { useTranslation } from 'react-i18next';
import type { Snippet } from '../../contract/links/js-config.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';

const columns = columnsOf(api.js_config.codes, [
  {
    key: 'name',
    kind: 'name',
    title: 'common.field.live_code',
    width: 260,
    render: (row) => <CodeLink id={row.id} name={row.name} />,
  },
  { key: 'file_name', width: 160, card: 'field', render: (row) => <code>{row.file_name}</code> },
]);

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

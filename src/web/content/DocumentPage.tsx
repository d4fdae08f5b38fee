import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { PublicDocument } from '../../contract/content/document-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Empty, Failure, useDocumentTitle } from '../kit/feedback.ts';
import { RichText } from '../kit/rich-text/RichText.tsx';
import { PublicPage } from '../kit/shell/PublicPage.tsx';
import { inZone, useFormat } from '../kit/texts/format.ts';
import './document.css';

/** A published document, for a visitor with its address. */
export function DocumentPage() {
  const { t } = useTranslation();
  const { id: named = '' } = useParams();
  const id = /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null;
  const { data, error, refetch, isFetching } = useCall(
    api.document_list.show,
    { id: id ?? 1 },
    { enabled: id !== null, placeholderData: undefined, staleTime: 60_000 },
  );
  const isMissing = id === null || error?.status === 404;
  useDocumentTitle(data?.title ?? (isMissing ? t('document.missing') : ''));

  return (
    <PublicPage className="lc-document">
      <main className="lc-document-main">
        {data ? (
          <Article document={data} />
        ) : isMissing ? (
          <Empty picture="road" title="document.missing" help="document.missing_help" />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        ) : (
          <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 10 }} />
        )}
      </main>
    </PublicPage>
  );
}

function Article({ document }: { document: PublicDocument }) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  const { title, type_name, cover, body, updated_at } = document;
  return (
    <article>
      <header className="lc-document-head">
        <h1>{title}</h1>
        <p className="lc-soft">
          {type_name}
          <time dateTime={updated_at}>{t('document.updated_on', { day: inZone(updated_at, timeZone).format('YYYY-MM-DD') })}</time>
        </p>
      </header>
      {cover && <img className="lc-document-cover" src={cover.url} width={cover.width} height={cover.height} alt="" />}
      {body ? <RichText html={body} /> : <p className="lc-soft">{t('document.no_text')}</p>}
    </article>
  );
}

import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { PublicDocument } from '../../contract/content/document-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Empty, Failure, useDocumentTitle } from '../kit/feedback.ts';
import { RichText } from '../kit/rich-text/RichText.tsx';
import { Brand } from '../kit/shell/Brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../kit/shell/switches.tsx';
import { inZone, useFormat } from '../kit/texts/format.ts';
import './document.css';

/** A published document, for anybody who has its address. */
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
  useDocumentTitle(data?.title ?? (isMissing ? t('content.missing') : ''));

  return (
    <div className="document">
      <header className="document-top">
        <Brand />
        <div>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main className="document-main">
        {data ? (
          <Article document={data} />
        ) : isMissing ? (
          <Empty picture="road" title="content.missing" help="content.missing_help" />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        ) : (
          <Skeleton active title={{ width: '60%' }} paragraph={{ rows: 10 }} />
        )}
      </main>
    </div>
  );
}

function Article({ document }: { document: PublicDocument }) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  const { title, type_name, cover, body, updated_at } = document;
  return (
    <article>
      <header className="document-head">
        <h1>{title}</h1>
        <p className="lc-soft">
          {type_name}
          <time dateTime={updated_at}>{t('content.updated_on', { day: inZone(updated_at, timeZone).format('YYYY-MM-DD') })}</time>
        </p>
      </header>
      {cover && <img className="document-cover" src={cover.url} width={cover.width} height={cover.height} alt="" />}
      {body ? <RichText html={body} /> : <p className="lc-soft">{t('content.no_text')}</p>}
    </article>
  );
}

import { HistoryOutlined, ImportOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { ProductRow } from '../../contract/content/mall-product-list.ts';
import { api } from '../kit/calls/api.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { useCrudList } from '../kit/crud/useCrud.tsx';
import { Amount } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import type { BatchAction } from '../kit/list/types.ts';
import { BatchProducts } from './BatchProducts.tsx';
import { categorySource } from './categories.ts';
import { brandSource, ProductForm } from './ProductForm.tsx';
import { Purchases } from './Purchases.tsx';
import { useCurrency } from './useCurrency.ts';
import './mall.css';

const ImportProducts = lazy(async () => ({ default: (await import('./ImportProducts.tsx')).ImportProducts }));

const calls = api.mall_product_list;
const nameOf = ({ name }: ProductRow) => name;

const filters: Filter<'search' | 'category_id' | 'brand_id' | 'enabled' | 'ranking_recommend' | 'home_recommend' | 'sold_out'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'mall_product_list.search' },
  { kind: 'remote', key: 'category_id', label: 'mall_product_list.category_id', source: categorySource() },
  { kind: 'remote', key: 'brand_id', label: 'mall_product_list.brand_id', source: brandSource },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.shown', no: 'common.hidden' },
  { kind: 'boolean', key: 'sold_out', label: 'mall_product_list.sold_out', more: true },
  { kind: 'boolean', key: 'ranking_recommend', label: 'mall_product_list.ranking_recommend', more: true },
  { kind: 'boolean', key: 'home_recommend', label: 'mall_product_list.home_recommend', more: true },
];

function Recommendations({ row }: { row: ProductRow }) {
  const { t } = useTranslation();
  const given = (['ranking_recommend', 'home_recommend'] as const).filter((key) => row[key]);
  return (
    <span className="lc-mall-tags">
      {given.map((key) => (
        <Tag key={key}>{t(`mall_product_list.short.${key}`)}</Tag>
      ))}
    </span>
  );
}

/** The products of the mall: made with their variants, shown or hidden, recommended, ranked, several at once. */
export function MallProductListPage() {
  const { t } = useTranslation();
  const currency = useCurrency();
  const [params] = useSearchParams();
  const [isImporting, setIsImporting] = useState(false);
  const [shown, setShown] = useState<ProductRow | 'all' | null>(null);
  const [batch, setBatch] = useState<{ ids: number[]; done: (isDone: boolean) => void } | null>(null);
  const { list, edited, close, saveRank } = useCrudList<ProductRow>(calls, { name: nameOf, invalidates: ['mall_category_list'] });
  const changing: BatchAction<ProductRow> = {
    key: 'batch',
    label: 'menu.button.batch',
    node: 'mall_product_list.update',
    byId: true,
    onClick: (rows) => new Promise((done) => setBatch({ ids: rows.map(({ id }) => id), done })),
  };
  const columns = columnsOf(calls.inquire, [
    { key: 'cover_url', kind: 'picture', title: 'mall_product_list.cover', width: 72 },
    { key: 'name', kind: 'name', width: 180 },
    { key: 'category_title', title: 'mall_product_list.category_id', width: 100, card: 'field' },
    {
      key: 'lowest_price',
      title: `${t('mall_product_list.lowest_price')} ${currency}`,
      width: 130,
      align: 'right',
      card: 'field',
      render: (row) => <Amount value={row.lowest_price} />,
    },
    { key: 'stock', kind: 'number', width: 80 },
    { key: 'purchases', kind: 'number', width: 80 },
    {
      key: 'recommended',
      title: 'mall_product_list.recommended',
      width: 120,
      render: (row) => <Recommendations row={row} />,
      exportValue: false,
    },
    { key: 'sort', kind: 'rank', node: 'mall_product_list.update', name: nameOf, save: saveRank },
    { key: 'enabled', kind: 'enabled', width: 90, yes: 'common.shown', no: 'common.hidden' },
    { key: 'brand_name', title: 'mall_product_list.brand_id', width: 120, hiddenByDefault: true },
    { key: 'source', width: 140, hiddenByDefault: true },
    { key: 'variant_number', kind: 'number', hiddenByDefault: true },
    { key: 'created_at', kind: 'time', hiddenByDefault: true },
    { key: 'updated_at', kind: 'time', hiddenByDefault: true },
  ]);
  const category = Number(params.get('category_id')) || undefined;
  function end(isDone: boolean) {
    batch?.done(isDone);
    setBatch(null);
  }
  return (
    <>
      <ListPage
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        actions={
          <>
            <Button icon={<HistoryOutlined />} onClick={() => setShown('all')}>
              {t('mall_product_list.purchase_records')}
            </Button>
            <Allowed node="mall_product_list.import">
              <Button icon={<ImportOutlined />} onClick={() => setIsImporting(true)}>
                {t('menu.button.import')}
              </Button>
            </Allowed>
            {list.actions}
          </>
        }
        rowActions={[{ key: 'purchases', label: 'mall_product_list.purchase_records', onClick: setShown }, ...list.rowActions]}
        exportCall={calls.export}
        exportNode="mall_product_list.export"
        allIds={calls.ids}
        batchActions={[changing, ...list.batchActions]}
      />
      {edited && <ProductForm id={edited === 'new' ? edited : edited.id} category_id={category} onClose={close} />}
      {isImporting && (
        <Suspense>
          <ImportProducts onClose={() => setIsImporting(false)} />
        </Suspense>
      )}
      {shown && <Purchases product={shown === 'all' ? undefined : shown} onClose={() => setShown(null)} />}
      {batch && <BatchProducts ids={batch.ids} onDone={() => batch.done(true)} onClose={() => end(false)} />}
    </>
  );
}

import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';

/** What prices are in, as shop fronts are told; nothing until it is known. */
export const useCurrency = (): string => useCall(api.mall.catalogue, { page_size: 1 }, { staleTime: 60_000 }).data?.currency ?? '';

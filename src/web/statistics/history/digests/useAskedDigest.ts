import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../../kit/calls/api.ts';
import { useCall } from '../../../kit/calls/query.ts';
import { writeState } from '../../../kit/workbench/state.ts';

/** Shows what a digest told, where the address names one: its days, against those before. */
export function useAskedDigest(): void {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('digest'));
  const { data } = useCall(api.visit_digest.inquire, {}, { enabled: asked > 0 });
  const show = useEffectEvent(() => {
    if (!data || !(asked > 0)) return;
    const digest = data.content.find(({ id }) => id === asked);
    const { live_code_ids = [], owner_id, filters = {} } = digest?.question ?? {};
    const days = digest?.told ? { kind: 'custom' as const, range: digest.told } : {};
    setParams(writeState(new URLSearchParams(), { ...days, compare: 'before', codes: live_code_ids, owner: owner_id, filters }), {
      replace: true,
    });
  });
  useEffect(() => {
    if (data && asked > 0) show();
  }, [data, asked]);
}

import { useSearchParams } from 'react-router';

/** The act whose codes an address asks for, `?change_id=…`. */
export function useListedChange(): { change_id?: string } {
  const [params] = useSearchParams();
  const change_id = params.get('change_id') ?? '';
  return /^[0-9a-f-]{36}$/.test(change_id) ? { change_id } : {};
}

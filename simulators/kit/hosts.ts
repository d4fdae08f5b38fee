/** What each host gets, subdomains included, and single addresses of it that were named whole; `*` is for all that nothing was said about. */
export function hostStates<State extends string>(usual: State) {
  const states = new Map<string, State>();
  const bare = (host: string) => host.toLowerCase().replace(/^\*\./, '').replace(/:\d+$/, '');
  /** Of an address with a path that path, too. */
  function keyOf(text: string): string {
    if (!/^https?:/i.test(text) || !URL.canParse(text)) return bare(text);
    const { hostname, pathname } = new URL(text);
    return pathname === '/' ? bare(hostname) : `${bare(hostname)}${pathname}`;
  }
  /** Of a host, or of an address. */
  function of(text: string): State {
    const own = states.get(keyOf(text));
    if (own) return own;
    const host = bare(URL.canParse(text) ? new URL(text).hostname : text);
    const labels = host.split('.');
    for (let from = 0; from < labels.length; from += 1) {
      const state = states.get(labels.slice(from).join('.'));
      if (state) return state;
    }
    return states.get('*') ?? usual;
  }
  /** A single address may be well though its host is blocked. */
  function set(host: string, state: State): void {
    states.delete(keyOf(host));
    if (of(host) !== state) states.set(keyOf(host), state);
  }
  return { states, set, of };
}

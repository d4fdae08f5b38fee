/** What each host gets, subdomains included; `*` is for all that nothing was said about. */
export function hostStates<State extends string>(usual: State) {
  const states = new Map<string, State>();
  const bare = (host: string) => host.toLowerCase().replace(/^\*\./, '').replace(/:\d+$/, '');
  return {
    states,
    set(host: string, state: State): void {
      if (state === usual) states.delete(bare(host));
      else states.set(bare(host), state);
    },
    /** Of a host, or of an address. */
    of(text: string): State {
      const host = bare(URL.canParse(text) ? new URL(text).hostname : text);
      const labels = host.split('.');
      for (let from = 0; from < labels.length; from += 1) {
        const state = states.get(labels.slice(from).join('.'));
        if (state) return state;
      }
      return states.get('*') ?? usual;
    },
  };
}

/** The shells for which Charter has completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof shells)[number];

/** If `charter complete` prints a line with this text, the shell also completes file names. */
export const FILES = ':files';

/**
 * The script that a shell reads once, when the shell starts. At every TAB the script runs `charter complete`. The
 * script never evaluates the typed text. `charter complete` prints each candidate on a line: `word TAB description`. If
 * there are several candidates, the script for bash prints their descriptions; the other shells print descriptions
 * themselves.
 */
export const scripts: Readonly<Record<CompletionShell, string>> = {
  bash: `# bash completion for charter: source <(charter completion bash)
_charter() {
  local IFS=$'\\n' line word current="\${COMP_WORDS[COMP_CWORD]}" lines=()
  [[ $current == = ]] && current=''
  COMPREPLY=()
  while read -r line; do lines+=("$line"); done < <(
    "\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null
  )
  for line in "\${lines[@]}"; do
    if [[ $line == '${FILES}' ]]; then
      compopt -o filenames 2> /dev/null || :
      while read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    elif [[ -n $line ]]; then
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done
  if ((\${#COMPREPLY[@]} > 1)) && [[ \${COMP_TYPE:-} == 63 && \${#COMPREPLY[@]} == "\${#lines[@]}" ]]; then
    COMPREPLY=("\${lines[@]//$'\\t'/  }")
  fi
}
complete -F _charter charter`,
  zsh: `#compdef charter
# zsh completion for charter: source <(charter completion zsh), after compinit
_charter() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    if [[ $line == '${FILES}' ]]; then
      _files
    elif [[ -n $line ]]; then
      candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}")
    fi
  done
  (( \${#candidates} )) && _describe charter candidates
}
compdef _charter charter`,
  fish: `# fish completion for charter: charter completion fish | source
function __charter_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] 2> /dev/null)
        if test "$line" = '${FILES}'
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c charter -f -a '(__charter_complete)'`,
};

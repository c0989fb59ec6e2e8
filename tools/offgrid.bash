# Bash completion for offgrid: verbs, then the options that the verb's own help names, processors, then files.
_offgrid() {
  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  # '=' breaks words: it stands alone, between the option and what is being typed.
  if [ "$current" = "=" ]; then current=; elif [ "$option" = "=" ]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [ "$COMP_CWORD" -eq 1 ] || [ "${COMP_WORDS[1]}" = help ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(offgrid help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$current")
  elif [[ $option == -mcpu || $option == --mcpu || $option == --gpu ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(offgrid targets 2>/dev/null | awk 'NR>1{print $1}')" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(offgrid help "${COMP_WORDS[1]}" 2>/dev/null | grep -oE -- '(^|[[ ,])--?[a-z][a-z-]*=?' | tr -d '[ ,')" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _offgrid offgrid

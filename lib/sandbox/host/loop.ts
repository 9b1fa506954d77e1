/**
 * What runs inside every sandbox, whatever the driver: a bash that is the first process (so that `kill -9 -1` and
 * `kill -9 1` do not reach it), and one fresh bash for every command. Texts only; session.ts is the other end.
 *
 * Folder IO (read-only inside; only its FIFOs can be written):
 * - `ctl` requests to the loop, `rpl` answers; `hand` passes a request on to the waiting bash; `taken`
 *   tells that one for a terminal was read, before another bash waits there.
 * - `N.o`, `N.e`, `N.i`: stdout, stderr, stdin of a command. A pair is not used again while something still holds it, so
 *   late output of a background process never shows up in a later command.
 * A request is five NUL-terminated fields: op ("run", "terminal", "hangup"), pair, stdin ("null", "fifo"), state ("keep", "drop", "terminal"),
 * command ("=" and the command itself, or "@" when it is long and lies in the file `command`: bash reads a FIFO byte by
 * byte). An answer (to "run" only) is a line: token, exit code, start and end in seconds. The token is known to the loop only.
 *
 * The next bash starts before the next request comes, and always after the command before it has ended: process ids
 * are the same in every run, and starting bash costs no waiting time.
 */

/** Mount point of the sandbox's own small tmpfs (state); IO lies in it. */
export const STATE_DIR = "/run/misstep";
export const IO_DIR = `${STATE_DIR}/io`;

export const LOOP = `set -m
for fd in /proc/self/fd/*; do
  fd=\${fd##*/}
  [ "$fd" -gt 2 ] && [ "$fd" -lt 255 ] && exec {fd}<&-
done
exec 3<${IO_DIR}/ctl 4>${IO_DIR}/rpl 8<>${IO_DIR}/taken 9<>${IO_DIR}/hand </dev/null >/dev/null 2>&1
IFS= read -r -u 3 token
[ -d "$1" ] || mkdir -p -- "$1"
cd -- "$1" || cd /
pwd >${STATE_DIR}/cwd
unset OLDPWD
. ${IO_DIR}/defaults
IFS= read -r -d '' env <${IO_DIR}/env
export -p >${STATE_DIR}/env
printf %s "$env" >>${STATE_DIR}/env
unset env
compgen -e >${STATE_DIR}/names
while read -r name; do export -n "$name"; done <${STATE_DIR}/names
LC_ALL=C
interrupted=
trap 'interrupted=1; kill -TERM -- -$child' USR1
trap 'interrupted=1; kill -KILL -- -$child' USR2
next() {
  BASH_ENV=${IO_DIR}/begin exec bash -c 'eval "$MISSTEP_COMMAND"; { MISSTEP_END; } 2>/dev/null' <&9 3<&- 4>&- 9<&-
}
printf '%s ready\\n' "$token" >&4
next &
child=$!
while IFS= read -r -d '' -u 3 op; do
  for field in pair stdin state command; do IFS= read -r -d '' -u 3 "$field"; done
  if [ "$op" = hangup ]; then
    [ "$terminal" ] && kill -KILL -- "-$terminal"
    terminal=
    continue
  fi
  start=$EPOCHREALTIME
  printf '%s\\0' "$pair" "$stdin" "$state" "$terminal" "$command" >&9
  if [ "$op" = terminal ]; then
    terminal=$child
    read -r -u 8
  else
    interrupted=
    wait "$child"
    code=$?
    while [ "$interrupted" ]; do
      interrupted=
      wait "$child"
      code=$?
    done
    printf '%s %s %s %s\\n' "$token" "$code" "$start" "$EPOCHREALTIME" >&4
  fi
  next &
  child=$!
done
`;

/**
 * Sourced by the waiting bash: takes a request, restores what the last command left, and leaves the rest to \`bash -c\`.
 * A FIFO that a command put in the place of the state is never opened: every later command would wait for its other end.
 */
export const BEGIN = `unset BASH_ENV
MISSTEP_STATE() {
  [[ -p ${STATE_DIR}/cwd ]] || IFS= read -r -d '' REPLY <${STATE_DIR}/cwd
  cd -- "\${REPLY%$'\\n'}" || cd /
  unset OLDPWD REPLY
  declare -gx OLDPWD
}
MISSTEP_STATE
[[ -p ${STATE_DIR}/env ]] || . ${STATE_DIR}/env
IFS= read -r -d '' MISSTEP_PAIR && IFS= read -r -d '' MISSTEP_STDIN && IFS= read -r -d '' MISSTEP_KEEP && IFS= read -r -d '' MISSTEP_AGAIN && IFS= read -r -d '' MISSTEP_COMMAND || exit
[ "$MISSTEP_KEEP" = terminal ] && echo >&8
exec 8>&-
if [ "$MISSTEP_AGAIN" ]; then
  for REPLY in $(compgen -e); do unset "$REPLY"; done
  MISSTEP_STATE
  [[ -p ${STATE_DIR}/env ]] || . ${STATE_DIR}/env
fi
case $MISSTEP_COMMAND in
  @) IFS= read -r -d '' MISSTEP_COMMAND <${IO_DIR}/command ;;
  *) MISSTEP_COMMAND=\${MISSTEP_COMMAND#=} ;;
esac
if [ "$MISSTEP_STDIN" = fifo ]; then exec <${IO_DIR}/$MISSTEP_PAIR.i; else exec </dev/null; fi
echo 500 >/proc/self/oom_score_adj
if [ "$MISSTEP_KEEP" = keep ]; then
  MISSTEP_END() {
    local code=$?
    set +eux
    trap - ERR DEBUG
    [[ -p ${STATE_DIR}/env ]] || builtin export -p >|${STATE_DIR}/env
    [[ -p ${STATE_DIR}/cwd ]] || builtin pwd >|${STATE_DIR}/cwd
    return $code
  }
else
  MISSTEP_END() { return $?; }
fi
exec >${IO_DIR}/$MISSTEP_PAIR.o 2>${IO_DIR}/$MISSTEP_PAIR.e
unset -f MISSTEP_STATE
unset MISSTEP_PAIR MISSTEP_STDIN MISSTEP_KEEP MISSTEP_AGAIN REPLY
`;

/**
 * Startup file of the bash in a terminal. Marks in the manner of OSC 133 let a reader split what it prints (marks.ts):
 * A before a prompt, C with the command before its output, D with its exit code after it. At every prompt the state is
 * kept as after a command.
 */
export const TERMINAL_RC = `unset HISTFILE PROMPT_COMMAND
HISTTIMEFORMAT=
shopt -s checkwinsize cmdhist lithist
tty >|${STATE_DIR}/tty
MISSTEP_START() {
  local LC_ALL=C line out= at char
  line=$(history 1)
  line=\${line#*[0-9]  }
  line=\${line:0:20000}
  for ((at = 0; at < \${#line}; at++)); do
    char=\${line:at:1}
    case $char in
      [a-zA-Z0-9._~/-]) out+=$char ;;
      *) printf -v char '%%%02X' "'$char"; out+=\${char/#%FFFFFFFFFFFFFF/%} ;;
    esac
  done
  printf '\\e]133;C;cmdline_url=%s\\a' "$out"
}
MISSTEP_PROMPT() {
  local code=$?
  (TERM=dumb SHLVL=1; builtin export -p) >|${STATE_DIR}/env
  builtin pwd >|${STATE_DIR}/cwd
  printf '\\e]133;D;%s\\a\\e]133;A\\a' "$code"
  return "$code"
}
PS0='$(MISSTEP_START)'
PS1='\\u@\\h:\\w\\$ '
PROMPT_COMMAND=MISSTEP_PROMPT
`;

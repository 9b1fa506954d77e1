/**
 * Programs that stand in for those that make users and give files away while a Dockerfile is carried out. A sandbox has
 * one user, uid 1000: the first user a Dockerfile makes becomes its name, a second one is refused, and giving files
 * away changes nothing. Each writes what it did into notes.
 */
const HEAD = `#!/bin/bash
note() { echo "$*" >> @TOOLS@/notes; }
`;

const ADD_USER = `${HEAD}
name= home= shell=/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -d|--home-dir|--home) home=$2; shift ;;
    -s|--shell) shell=$2; shift ;;
    -u|--uid|-g|--gid|-G|--groups|--ingroup|-c|--comment|--gecos|-k|--skel|-p|--password) shift ;;
    -*) ;;
    *) [ -n "$name" ] || name=$1 ;;
  esac
  shift
done
[ -n "$name" ] || { echo "useradd: no name" >&2; exit 2; }
if [ -e /etc/.misstep-user ]; then
  echo "useradd: a sandbox has one user; $(cat /etc/.misstep-user) was made before" >&2
  exit 1
fi
home=\${home:-/home/$name}
for file in passwd group; do
  grep -v -e '^[^:]*:[^:]*:1000:' -e "^$name:" "/etc/$file" > "@TOOLS@/$file"
done
echo "$name:x:1000:1000::$home:$shell" >> @TOOLS@/passwd
echo "$name:x:1000:" >> @TOOLS@/group
cat @TOOLS@/passwd > /etc/passwd && cat @TOOLS@/group > /etc/group || exit 1
mkdir -p "$home" && echo "$name" > /etc/.misstep-user
note "the user $name is the sandbox's one user (uid 1000)"
`;

const GIVE_AWAY = `${HEAD}
note "$(basename "$0") $*: all files belong to the sandbox's one user"
`;

const GROUP = `${HEAD}
note "$(basename "$0") $*: a sandbox has one user and one group"
`;

/** Name of the program → its text; @TOOLS@ is the folder they lie in. */
export const SHIMS: Record<string, string> = {
  useradd: ADD_USER,
  adduser: ADD_USER,
  groupadd: GROUP,
  addgroup: GROUP,
  usermod: GROUP,
  chown: GIVE_AWAY,
  chgrp: GIVE_AWAY,
};

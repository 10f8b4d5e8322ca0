# For tests that need mounts and users of their own. Sourced before lib.sh: runs the script again in a
# mount namespace, so that its mounts are seen by nobody else and go with it; as root, or as a user who
# is root in there. Where the machine gives no such namespace, the script runs as it is.
# shellcheck shell=sh
if [ -z "${CONTPROF_NAMESPACE:-}" ]; then
  for as_root in "" -r; do
    # shellcheck disable=SC2086 # an option or none
    if unshare $as_root -m true 2>/dev/null; then
      CONTPROF_NAMESPACE=yes exec unshare $as_root -m sh "$0" "$@"
    fi
  done
fi
CONTPROF_NAMESPACE=${CONTPROF_NAMESPACE:-no}

# mounted TYPE DIRECTORY [OPTIONS]: whether it is now.
mounted() {
  [ "$CONTPROF_NAMESPACE" = yes ] &&
    mount -t "$1" ${3:+-o "$3"} none "$2" 2>/dev/null
}

# in_volume OPTIONS FUNCTION ARG...: in a tmpfs that is gone afterwards. To be called by itself, for the
# sake of `set -e`.
in_volume() {
  mkdir volume
  mounted tmpfs volume "$1"
  ln -s ../complaints volume/complaints # which shall find room
  shift
  set +e
  (
    set -e
    cd volume
    "$@"
  )
  volume_status=$?
  set -e
  umount -l volume
  return "$volume_status"
}

# as_user UID COMMAND...
as_user() {
  as_user_id=$1
  shift
  setpriv "--reuid=$as_user_id" "--regid=$as_user_id" --clear-groups "$@"
}

# Whether as_user works here.
has_users() {
  as_user 65534 true 2>/dev/null
}

# Whether process ids can be a test's own, with a /proc that shows them.
has_pids() {
  [ "$CONTPROF_NAMESPACE" = yes ] && unshare -p -f --mount-proc true 2>/dev/null
}

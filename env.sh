# Puts the environment and the built overlay into a shell (sh, bash, zsh), from any folder:
#
#   . /path/to/avr_ros/env.sh
#
# ROS_DISTRO=kilted and PINS=robot choose the environment as they do for `make setup`. A machine with
# a ROS 2 installation and a colcon workspace of its own does not need this file.

_avr_root=${BASH_SOURCE:-}
if [ -n "${ZSH_VERSION:-}" ]; then
  eval '_avr_root=${(%):-%x}'
fi
if [ -z "$_avr_root" ]; then
  # Other shells do not tell which file they read, but hold it open while they do.
  for _avr_file in /proc/$$/fd/*; do
    _avr_file=$(readlink "$_avr_file" 2>/dev/null || true)
    case $_avr_file in
      */env.sh) _avr_root=$_avr_file ;;
    esac
  done
fi
_avr_root=$(CDPATH="" cd "$(dirname "${_avr_root:-./env.sh}")" && pwd)

case ${PINS:-}-${ROS_DISTRO:-jazzy} in
  -jazzy) _avr_environment=$_avr_root/.venv ;;
  *-jazzy) _avr_environment=$_avr_root/.venv-$PINS ;;
  -*) _avr_environment=$_avr_root/.venv-$ROS_DISTRO ;;
  *) _avr_environment=$_avr_root/.venv-$ROS_DISTRO-$PINS ;;
esac

if [ -x "$_avr_environment/bin/python" ] &&
  _avr_exports=$("$_avr_environment/bin/python" -I -S "$_avr_root/tools/print_environment.py" \
    "$_avr_environment"); then
  eval "$_avr_exports"
  _avr_status=0
else
  echo "env.sh: $_avr_environment is not set up: run 'make setup' in $_avr_root first." >&2
  _avr_status=1
fi
unset _avr_root _avr_environment _avr_file _avr_exports
# The last command's status is the status of sourcing this file.
eval "unset _avr_status; [ $_avr_status = 0 ]"

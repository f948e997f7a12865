"""What puts the overlay and its libraries into a process, with and without sourcing env.sh."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from avr_setup.flavour import flavour_from_variables
from avr_setup.shell_environment import domain_of, shell_variables
from avr_setup.site_environment import SourceFolderSkipper, ros_variables

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(sys.prefix).is_relative_to(ROOT)
needs_set_up = pytest.mark.skipif(not HERE, reason="not run by an environment of this checkout")

BARE = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}
if HERE:
    BARE.update({name: os.environ[name] for name in ("ROS_DISTRO", "PINS") if name in os.environ})
SHOW = "import avr_ros, avr_ros.srv, rclpy; print(avr_ros.__file__)"


def environment_with_libraries(folder: Path) -> str:
    """A folder that looks like an environment whose wheels brought libraries."""
    (folder / "lib" / "python3.11" / "site-packages" / "ros_rcl.libs").mkdir(parents=True)
    return str(folder)


def test_variables_name_the_overlay_first_and_are_then_complete(tmp_path: Path) -> None:
    environment = environment_with_libraries(tmp_path)
    changed = ros_variables(environment, "/overlay", {"LD_LIBRARY_PATH": "/opt/cuda/lib"})
    assert changed["AMENT_PREFIX_PATH"] == f"/overlay:{environment}"
    assert changed["LD_LIBRARY_PATH"].split(":") == [
        "/overlay/lib",
        f"{environment}/lib",
        f"{environment}/lib/python3.11/site-packages/ros_rcl.libs",
        "/opt/cuda/lib",
    ]
    assert ros_variables(environment, "/overlay", changed) == {}


def test_another_ros_installation_is_left(tmp_path: Path) -> None:
    environment = environment_with_libraries(tmp_path)
    sourced = {
        "AMENT_PREFIX_PATH": "/opt/ros/jazzy",
        "LD_LIBRARY_PATH": "/opt/ros/jazzy/lib:/opt/ros/jazzy-other/lib",
        "PYTHONPATH": "/opt/ros/jazzy/lib/python3.12/site-packages:/home/me/code",
    }
    changed = ros_variables(environment, "/overlay", sourced)
    assert changed["PYTHONPATH"] == "/home/me/code"
    assert "/opt/ros/jazzy/lib" not in changed["LD_LIBRARY_PATH"].split(":")
    assert "/opt/ros/jazzy-other/lib" in changed["LD_LIBRARY_PATH"].split(":")
    assert "/opt/ros/jazzy" not in changed["AMENT_PREFIX_PATH"].split(":")


def test_a_workspace_on_top_of_the_overlay_is_kept(tmp_path: Path) -> None:
    environment = environment_with_libraries(tmp_path)
    complete = ros_variables(environment, "/overlay", {})
    mine = complete | {
        "AMENT_PREFIX_PATH": "/my/install:" + complete["AMENT_PREFIX_PATH"],
        "PYTHONPATH": "/my/install/lib/python3.11/site-packages",
    }
    assert ros_variables(environment, "/overlay", mine) == {}


def test_the_domain_follows_the_path_unless_the_user_chose_one(tmp_path: Path) -> None:
    environment, overlay = Path(environment_with_libraries(tmp_path)), Path("/overlay")
    first = shell_variables(Path("/one"), environment, overlay, {})
    assert first["ROS_DOMAIN_ID"] == str(domain_of(Path("/one")))
    again = shell_variables(Path("/another"), environment, overlay, first)
    assert again["ROS_DOMAIN_ID"] == str(domain_of(Path("/another")))
    chosen = shell_variables(Path("/one"), environment, overlay, {"ROS_DOMAIN_ID": "7"})
    assert "ROS_DOMAIN_ID" not in chosen
    domains = {domain_of(Path(f"/home/me/{number}")) for number in range(2000)}
    assert domains == set(range(1, 101))


@needs_set_up
@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "zsh", "busybox sh"])
def test_env_sh_works_from_any_folder(shell: str, tmp_path: Path) -> None:
    words = shell.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    script = (
        f". '{ROOT}/env.sh' || exit 9; . '{ROOT}/env.sh' || exit 9; "
        f'echo "$ROS_DOMAIN_ID"; env | grep -c "^_avr"; exec python -c "{SHOW}"'
    )
    result = subprocess.run(
        [*words, "-c", script], env=BARE, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    domain, leftovers, module = result.stdout.splitlines()
    assert domain == str(domain_of(ROOT))
    assert leftovers == "0"
    assert Path(module).is_relative_to(ROOT / "build")


@pytest.mark.parametrize("variables", [{"ROS_DISTRO": "humble"}, {"PINS": "none"}])
def test_env_sh_names_the_environment_that_is_not_set_up(variables: dict[str, str]) -> None:
    result = subprocess.run(
        ["sh", "-c", ". ./env.sh; exit $?"],
        env=BARE | {"ROS_DISTRO": "", "PINS": ""} | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "make setup" in result.stderr


@needs_set_up
@pytest.mark.parametrize("command", [["-c", SHOW], ["-I", "-c", SHOW]])
@pytest.mark.parametrize("in_checkout", [False, True])
def test_the_environments_python_needs_no_sourcing(
    command: list[str], in_checkout: bool, tmp_path: Path
) -> None:
    """In the checkout, too, where the source folder stands before the overlay on sys.path."""
    result = subprocess.run(
        [sys.executable, *command],
        env=BARE,
        cwd=ROOT if in_checkout else tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    flavour = flavour_from_variables(ROOT, BARE)
    assert Path(result.stdout.strip()).is_relative_to(flavour.install)


def test_the_checkout_is_skipped_for_this_package_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "checkout", tmp_path / "elsewhere"):
        (folder / "avr_ros").mkdir(parents=True)
        (folder / "avr_ros" / "__init__.py").touch()
    finder = SourceFolderSkipper(str(tmp_path / "checkout"))
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "elsewhere")])
    monkeypatch.chdir(tmp_path / "checkout")
    found = finder.find_spec("avr_ros", None)
    assert found is not None
    assert found.origin == str(tmp_path / "elsewhere" / "avr_ros" / "__init__.py")
    assert finder.find_spec("json", None) is None
    monkeypatch.setattr(sys, "path", [""])
    assert finder.find_spec("avr_ros", None) is None

"""The part without ROS as pip installs it, and what package.xml and setup.py each declare."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from avr_setup.locks import normalised
from requirement_files import names_of

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    "CHANGELOG.rst",
    "LICENSE",
    "MANIFEST.in",
    "README.md",
    "avr_ros",
    "config",
    "launch",
    "package.xml",
    "pyproject.toml",
    "setup.py",
)

# Modules whose package has another name.
PACKAGES_OF_MODULES = {"cv2": "opencv-python-headless", "yaml": "pyyaml"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what pip reads, since a build writes beside its sources."""
    folder = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.exists():
            shutil.copy(path, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from a source archive, so that both are complete."""
    folder = tmp_path_factory.mktemp("wheel")
    archive = [sys.executable, "setup.py", "-q", "sdist", "--dist-dir", str(folder)]
    subprocess.run(archive, cwd=source, check=True, capture_output=True)
    (sdist,) = folder.glob("*.tar.gz")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", str(folder), str(sdist)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def manifest() -> ElementTree.Element:
    """The root element of package.xml."""
    return ElementTree.parse(ROOT / "package.xml").getroot()


def required(metadata: str, extra: str | None) -> set[str]:
    """The packages that a wheel's metadata requires, at all or for an extra."""
    names = set()
    for line in metadata.splitlines():
        match = re.match(r"Requires-Dist: ([\w.-]+)", line)
        wanted = f'extra == "{extra}"' if extra else "extra =="
        if match and (wanted in line.replace("'", '"')) == bool(extra):
            names.add(normalised(match[1]))
    return names


def metadata_of(wheel: Path) -> str:
    """The METADATA file of a wheel."""
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def test_a_wheel_holds_every_module_and_data_file_but_the_nodes(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("avr_ros/")}
    expected = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "avr_ros").rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "nodes" not in path.relative_to(ROOT).parts
    }
    assert names == expected


def test_the_version_stands_in_one_place(wheel: Path) -> None:
    declared = manifest().findtext("version")
    assert version("avr_ros") == declared
    assert f"Version: {declared}" in metadata_of(wheel).splitlines()


def test_a_wheel_works_without_ros(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    # A path finder that comes first and refuses ROS stands for a Python that has none.
    script = """
import json, pkgutil, sys
class NoRos:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("rclpy", "rcl_interfaces", "rosidl_runtime_py"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, NoRos())
sys.path.insert(0, sys.argv[1])
import avr_ros
names = [module.name for module in pkgutil.walk_packages(avr_ros.__path__, "avr_ros.")]
for name in names:
    __import__(name)
print(json.dumps([avr_ros.__file__, names]))
"""
    result = subprocess.run(
        [sys.executable, "-c", script, str(target)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    module, names = json.loads(result.stdout)
    assert Path(module).is_relative_to(target)
    assert "avr_ros.cli.main" in names
    assert (target / "bin" / "avr").is_file()


def test_every_import_is_declared(wheel: Path) -> None:
    declared = required(metadata_of(wheel), None)
    optional = {
        name for extra in ("analysis", "fast") for name in required(metadata_of(wheel), extra)
    }
    standard = set(sys.stdlib_module_names) | {"avr_ros"}
    for path in (ROOT / "avr_ros").rglob("*.py"):
        if path.is_relative_to(ROOT / "avr_ros" / "nodes"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_once = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                modules = [node.module]
            else:
                continue
            for module in {name.split(".")[0] for name in modules} - standard:
                package = PACKAGES_OF_MODULES.get(module, normalised(module))
                allowed = declared if id(node) in at_once else declared | optional
                assert package in allowed, f"{path}:{node.lineno} imports {module}"


def test_the_locks_hold_what_the_package_requires(wheel: Path) -> None:
    locked = names_of(ROOT / "requirements" / "runtime.in")
    metadata = metadata_of(wheel)
    expected = required(metadata, None)
    for extra in ("analysis", "fast"):
        expected |= required(metadata, extra)
    assert locked == expected


def test_package_xml_declares_what_a_robot_runs() -> None:
    root = manifest()
    assert root.get("format") == "3"
    assert root.findtext("export/build_type") == "ament_cmake"
    declared = {element.text for element in root if element.tag.endswith("depend")}
    listed = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    packages = re.search(r"set\(interface_packages ([^)]+)\)", listed)
    assert packages is not None
    assert set(packages[1].split()) <= declared
    assert {"rclpy", "rosidl_default_generators", "rosidl_default_runtime"} <= declared
    used = set()
    for path in [p for kind in ("msg", "srv", "action") for p in (ROOT / kind).iterdir()]:
        used |= set(re.findall(r"^(\w+)/\w+", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert used - {"avr_ros"} <= declared


def test_a_robot_gets_every_library_from_apt_or_pip(wheel: Path) -> None:
    keys = {element.text or "" for element in manifest() if element.tag == "exec_depend"}
    other_names = {"opencv": "opencv-python-headless", "yaml": "pyyaml"}
    apt = {key.removeprefix("python3-") for key in keys if not key.endswith("-pip")}
    apt = {other_names.get(name, name) for name in apt} - {"pydantic", "rich", "typer"}
    pip = names_of(ROOT / "requirements" / "beside-apt.in")
    assert required(metadata_of(wheel), None) <= apt | pip
    assert pip & apt == {"numpy"}, "numpy stands there to keep pip from replacing the system's"
    from_pip = {key.removeprefix("python3-").removesuffix("-pip") for key in keys if "-pip" in key}
    assert from_pip <= pip


def test_each_node_has_an_executable() -> None:
    listed = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    block = re.search(r"foreach\(node\s([^)]+)\)", listed)
    assert block is not None
    modules = {
        path.stem
        for path in (ROOT / "avr_ros" / "nodes").glob("*_node.py")
        if any(
            isinstance(node, ast.FunctionDef) and node.name == "main"
            for node in ast.parse(path.read_text(encoding="utf-8")).body
        )
    }
    assert set(block[1].split()) == modules

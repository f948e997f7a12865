"""Installs with pip the part of avr_ros that needs no ROS; CMakeLists.txt builds the whole."""

from pathlib import Path
from xml.etree import ElementTree

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
# The name, version, licence and maintainer stand in package.xml alone.
MANIFEST = ElementTree.parse(ROOT / "package.xml").getroot()
README = ROOT / "README.md"

ANALYSIS = ["matplotlib", "plotly", "statsmodels"]
FAST = ["simplejpeg"]
TRAINING = ["onnx", "torch"]
DEVELOPMENT = [
    "hypothesis",
    "import-linter",
    "mypy",
    "pytest",
    "pytest-timeout",
    "ruff",
    "scipy-stubs",
    "types-PyYAML",
    "types-networkx",
]


def text_of(tag: str) -> str:
    """The text of one element of package.xml, on one line."""
    return " ".join(MANIFEST.findtext(tag, "").split())


def data_files_of(package: str) -> list[str]:
    """The files of a package that are not Python code, relative to it."""
    folder = ROOT / package
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        str(path.relative_to(folder)) for path in files if path.suffix not in (".py", ".pyc")
    )


setup(
    name=text_of("name"),
    version=text_of("version"),
    description=text_of("description"),
    long_description=README.read_text(encoding="utf-8") if README.exists() else "",
    long_description_content_type="text/markdown",
    license=text_of("license"),
    maintainer=text_of("maintainer"),
    python_requires=">=3.10,<3.14",
    # The nodes need ROS and the generated messages, which pip does not bring.
    packages=find_packages(
        include=["avr_ros", "avr_ros.*"], exclude=["avr_ros.nodes", "avr_ros.nodes.*"]
    ),
    package_data={"avr_ros": data_files_of("avr_ros")},
    entry_points={"console_scripts": ["avr = avr_ros.cli.main:run"]},
    install_requires=[
        "PyYAML",
        "apsw",
        "httpx",
        "jinja2",
        "lz4",
        "mcap",
        "networkx",
        "numpy>=1.26",
        "onnxruntime",
        "openai",
        "opencv-python-headless>=4.6",
        "pydantic>=2",
        "rich>=14",
        "rosbags",
        "scipy",
        "typer>=0.16",
        "zstandard",
    ],
    extras_require={
        "analysis": ANALYSIS,
        "fast": FAST,
        "training": TRAINING,
        "dev": [*ANALYSIS, *FAST, *DEVELOPMENT],
    },
)

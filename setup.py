"""Everything that can be set is set in settings.ini; this file only hands it on."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).parent
parser = ConfigParser()
parser.read(here / "settings.ini", encoding="utf-8")
cfg = parser["DEFAULT"]


def lines(key):
    return [line for line in cfg.get(key, "").splitlines() if line.strip()]


tried = ["3.11", "3.12", "3.13"]

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=cfg["author"],
    url=cfg["git_url"],
    keywords=cfg["keywords"],
    license="BSD-3-Clause",
    packages=find_packages(include=[cfg["lib_path"], f"{cfg['lib_path']}.*"]),
    package_data={cfg["lib_path"]: ["py.typed"], f"{cfg['lib_path']}.course": ["*.css", "*.js", "*.wasm"]},
    python_requires=f">={cfg['min_python']}",
    install_requires=cfg["requirements"].split(),
    extras_require={key.removesuffix("_requirements"): lines(key) for key in cfg if key.endswith("_requirements")},
    entry_points={"console_scripts": lines("console_scripts")},
    classifiers=[
        "Development Status :: 3 - Alpha",
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        *(f"Programming Language :: Python :: {v}" for v in tried),
    ],
)

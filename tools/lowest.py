"""Print the lowest requirements that settings.ini allows, one a line, for pip: numpy==1.26 and so on; those of the extras that are named, too."""
import re
import sys
from configparser import ConfigParser
from pathlib import Path

parser = ConfigParser()
parser.read(Path(__file__).resolve().parent.parent / "settings.ini", encoding="utf-8")
for key in ("requirements", *(f"{extra}_requirements" for extra in sys.argv[1:])):
    for requirement in parser["DEFAULT"][key].split():
        name, low = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
        print(f"{name}=={low}")

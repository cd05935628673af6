"""Make the list of tables and figures in docs/paper_to_code.md from `guesstree.rerun.paper.PLACES`, its only source.

    python docs/paper_to_code.py     # after a change of PLACES; a test compares the file with what this makes
"""
import re
from pathlib import Path

from make import slug

from guesstree.rerun.paper import PLACES

PAGE = Path(__file__).resolve().parent / "paper_to_code.md"


def table():
    "One line for each table and figure of the paper, in the order in which it prints them."
    rows = [f"| {p.number} | {p.shows} | [{p.section}](../nbs/{p.chapter}.ipynb#{slug(p.section)}) |" for p in PLACES]
    return "\n".join(["| in the paper | what it shows | where |", "| --- | --- | --- |", *rows])


def made(text):
    "The page with its list made anew; the rest stays as it is."
    new, count = re.subn(r"(?<=<!-- places -->\n).*?(?=\n<!-- end of places -->)", lambda _: table(), text, flags=re.S)
    if count != 1:
        raise ValueError(f"the page must have one list between <!-- places --> and <!-- end of places -->, got {count}")
    return new


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

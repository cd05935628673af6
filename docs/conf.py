"""Sphinx settings of the book; `python docs/make.py` prepares the pages and runs Sphinx on them."""
import sys
from configparser import ConfigParser
from importlib.util import find_spec
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here))
parser = ConfigParser()
parser.read(here.parent / "settings.ini", encoding="utf-8")
cfg = parser["DEFAULT"]

project, author, copyright, release = cfg["title"], cfg["author"], cfg["copyright"], cfg["version"]
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "sphinx_copybutton", "symbols", "long_lines", "folds", "excerpts", "navigation"]

# Pages: notebooks with the outputs they were committed with, and Markdown
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
nb_render_markdown_format = "myst"   # tables and links in outputs too
nb_code_prompt_show, nb_code_prompt_hide = "code", "code"
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "attrs_inline"]
myst_heading_anchors = 4
myst_all_links_external = False
copybutton_exclude = ".linenos, .gp, .go"

# API: docstrings of public names; what they take is said there, so that signatures can be short
default_role = "literal"
autodoc_typehints = "none"
add_module_names = toc_object_entries = False
numpydoc_show_class_members = False

# Mathematics: the files of MathJax come with a package, so that nothing is fetched when a page is read
mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
mathjax_path = "mathjax/tex-chtml.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "furo"
html_title = "guesstree"
html_baseurl = f"{cfg['doc_host']}{cfg['doc_baseurl']}/"
html_static_path = [str(here / "_static")]
html_css_files, html_js_files = ["book.css"], ["book.js"]
html_search_scorer = str(here / "_static" / "scorer.js")
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5f99", "color-brand-content": "#1f5f99"},
    "dark_css_variables": {"color-brand-primary": "#8fbfe8", "color-brand-content": "#8fbfe8"},
    "source_repository": "",
}
pygments_style, pygments_dark_style = "friendly", "github-dark"


def copy_mathjax(app, exception):
    "Put the one script and the fonts that pages use beside them."
    if exception is None and app.builder.format == "html":
        from shutil import copy, copytree
        to = Path(app.outdir) / "_static" / "mathjax"
        to.mkdir(parents=True, exist_ok=True)
        copy(mathjax / "tex-chtml.js", to)
        copytree(mathjax / "output" / "chtml" / "fonts", to / "output" / "chtml" / "fonts", dirs_exist_ok=True)


def setup(app):
    app.connect("build-finished", copy_mathjax)

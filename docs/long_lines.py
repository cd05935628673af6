"""Sphinx extension: each line of code knows how far it is indented, so that a long one can wrap and hang below its beginning."""
import re

from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge


class Lines(HtmlFormatter):
    "HTML with a span around each line; its style holds the number of leading spaces. `book.css` does the rest."

    def wrap(self, source):
        return super().wrap(self._spans(source))

    def _spans(self, source):
        for is_code, line in source:
            indent = len(re.match(" *", re.sub("<[^>]*>", "", line))[0])
            yield is_code, f'<span class="line" style="--indent:{indent}">{line}</span>' if is_code else line


def formatter(bridge, **options):
    "One formatter for all blocks with the same options: to make one takes as long as to format a few lines."
    known = vars(bridge).setdefault("known_formatters", {})
    key = repr(sorted(options.items()))
    if key not in known:
        known[key] = bridge.formatter(**options | bridge.formatter_args)
    return known[key]


def setup(app):
    PygmentsBridge.html_formatter = Lines
    PygmentsBridge.get_formatter = formatter
    return {"parallel_read_safe": True, "parallel_write_safe": True}
